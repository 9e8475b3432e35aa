//! A WebSocket server that sends every message back.
#![no_std]
#![no_main]

use onewrite::sink::embedded_io::StreamSink;
use onewrite::websocket::{Assembly, Limits, Message, Receiver, Sender, Server};
use onewrite_size::{Port, start};

start!(main);

fn main(port: &mut Port) -> u32 {
    let (mut memory, mut input) = ([0; 128], [0; 128]);
    for byte in &mut input {
        [*byte, ..] = port.read().to_le_bytes();
    }
    let mut receiver = Receiver::<Server>::new(Limits::DEFAULT);
    let mut assembly = Assembly::new(&mut memory);
    let mut sender = Sender::<Server>::new();
    let mut stream = StreamSink::new(port);
    let mut input = &mut input[..];
    while let Ok(Some(message)) = assembly.next(&mut receiver, &mut input) {
        if let Message::Data(data) = message
            && sender.message(data, (), &mut stream).is_err()
        {
            return 1;
        }
    }
    u32::from(receiver.is_closed())
}
