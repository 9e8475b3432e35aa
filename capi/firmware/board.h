/* What capi/board, which starts the firmware, expects of it. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>

/* Writes text to the board's console, where it leaves line by line. */
typedef void board_print(void *console, const char *text, size_t len);

/* The firmware: runs once, on a stack of 2 MiB, with MMU, caches and floating point on. What it
 * returns, from 0 to 255, is the exit code that an emulator ends with. */
int firmware_main(board_print *print, void *console);

#endif
