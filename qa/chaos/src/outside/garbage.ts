import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { GarbageKind } from '../plan/fault.js'

/** An unmasked text frame of a server, with less than 126 bytes. */
const textFrame = (bytes: Buffer, announced = bytes.length) =>
  Buffer.concat([Buffer.from([0x81, announced]), bytes])

/** Sends something that is not an event. The provider's own events are still all sent, unchanged. */
export function sendGarbage(kind: GarbageKind, socket: WebSocket, raw: Duplex): void {
  switch (kind) {
    case 'noise':
      for (const text of ['', 'null', '[1,2', 'ÿþ{{{', '{"type":17}', '"response.done"']) socket.send(text)
      return void socket.send(Buffer.from([0, 255, 1, 254]))
    case 'half-json':
      return void socket.send('{"type":"response.output_audio_transcript.done","transcript":"cut o')
    case 'wrong-json':
      for (const event of wrongEvents) socket.send(JSON.stringify(event))
      return
    case 'half-frame':
      // Announces more bytes than it sends, so the next frame is read as the rest of this one.
      return void raw.write(textFrame(Buffer.from('{"type":"resp'), 120))
    case 'bad-frame':
      // A frame with an undefined opcode.
      return void raw.write(Buffer.from([0x8b, 2, 1, 2]))
  }
}

/** Events with valid names whose fields are missing or have the wrong type. */
const wrongEvents: readonly object[] = [
  { type: 'response.done' },
  { type: 'response.done', response: 42 },
  { type: 'response.done', response: { id: null, output: 'none', usage: { total_tokens: 'many' } } },
  { type: 'response.created', response: { id: {} } },
  { type: 'response.output_item.done', item: { type: 'function_call' } },
  { type: 'response.function_call_arguments.done', call_id: 7, name: null, arguments: {} },
  { type: 'conversation.item.input_audio_transcription.completed', item_id: 3, transcript: null },
  { type: 'response.output_audio_transcript.done', item_id: [], transcript: { a: 1 } },
  { type: 'input_audio_buffer.committed', item_id: { id: 'x' } },
  { type: 'conversation.item.truncated', item_id: 5, audio_end_ms: 'late' },
  { type: 'error', error: 'unknown' },
  { type: 'error' },
]
