//! What the client does: protocol, requests in flight, number of requests.

use serde::Serialize;

/// Connections in every scenario: the twenty clients of the measurement that we repeat.
pub(crate) const CONNECTIONS: u64 = 20;

/// What is spoken, without TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Protocol {
    /// HTTP/1.1.
    H1,
    /// HTTP/2 by prior knowledge.
    H2,
}

impl Protocol {
    /// As our own servers' flags name it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::H1 => "h1",
            Self::H2 => "h2",
        }
    }
}

/// One way to ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    /// Its name in tables and files: protocol and requests in flight on each connection.
    pub(crate) name: &'static str,
    /// What is spoken.
    pub(crate) protocol: Protocol,
    /// Requests in flight on each connection.
    pub(crate) in_flight: u64,
    /// Requests of a timed round, so many that it lasts for some tenths of a second.
    pub(crate) requests: u64,
}

/// All of them.
pub(crate) const ALL: [Scenario; 4] = [
    Scenario { name: "h2-1", protocol: Protocol::H2, in_flight: 1, requests: 10_000 },
    Scenario { name: "h2-32", protocol: Protocol::H2, in_flight: 32, requests: 60_000 },
    Scenario { name: "h1-1", protocol: Protocol::H1, in_flight: 1, requests: 10_000 },
    Scenario { name: "h1-16", protocol: Protocol::H1, in_flight: 16, requests: 60_000 },
];

/// How many times what we take a peer should take at least.
#[derive(Clone, Copy, Debug)]
struct Bar {
    scenario: &'static str,
    peer: &'static str,
    times: f64,
}

/// Of instructions in user mode: exact enough to fail by.
const COUNT_BARS: [Bar; 5] = [
    bar("h2-1", "hyper", 25.0),
    bar("h2-1", "axum", 30.0),
    bar("h2-1", "actix-web", 30.0),
    bar("h2-1", "nghttpd", 15.0),
    bar("h1-1", "hyper", 6.0),
];

/// Of processor time, the kernel's included: shown, and never a reason to fail.
const TIME_BARS: [Bar; 5] = [
    bar("h2-32", "hyper", 6.0),
    bar("h2-32", "axum", 6.0),
    bar("h2-32", "nghttpd", 4.0),
    bar("h2-32", "h2o", 4.0),
    bar("h2-32", "nginx", 15.0),
];

const fn bar(scenario: &'static str, peer: &'static str, times: f64) -> Bar {
    Bar { scenario, peer, times }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Quantity {
    /// Processor time a request.
    Times,
    /// Instructions a request.
    Counts,
}

impl Quantity {
    /// How many times ours a peer should take at least, where we promise something.
    pub(crate) fn bar(self, scenario: &str, peer: &str) -> Option<f64> {
        let bars = match self {
            Self::Times => &TIME_BARS,
            Self::Counts => &COUNT_BARS,
        };
        bars.iter().find(|bar| bar.scenario == scenario && bar.peer == peer).map(|bar| bar.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server;

    #[test]
    fn every_bar_names_a_scenario_and_a_peer_that_speaks_it() {
        for bar in COUNT_BARS.iter().chain(&TIME_BARS) {
            let scenario = ALL.iter().find(|scenario| scenario.name == bar.scenario);
            let protocol = scenario.expect(bar.scenario).protocol;
            let peer = server::ALL.iter().find(|server| server.name == bar.peer);
            assert!(peer.expect(bar.peer).speaks(protocol), "{bar:?}");
        }
    }
}
