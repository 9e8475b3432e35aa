// Stands in for Blazor's script where only the page around it is looked at.
document.documentElement.dataset.script = "ran";
