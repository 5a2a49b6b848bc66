import { fromWire, type WireAudioFormat } from '../audio/wire-audio.js'
import type { ClientItem } from '../protocol/client-event.js'
import { makeId } from '../protocol/ids.js'
import type { Item, Part } from './item.js'

/** Converts a client's item to a stored item. */
export function itemOfClient(item: ClientItem, format: WireAudioFormat): Item {
  const id = item.id ?? makeId('item')
  switch (item.type) {
    case 'function_call':
      return {
        kind: 'call',
        id,
        status: 'completed',
        callId: item.call_id ?? makeId('call'),
        name: item.name,
        arguments: item.arguments,
      }
    case 'function_call_output':
      return { kind: 'output', id, callId: item.call_id, output: item.output }
    case 'message':
      return {
        kind: 'message',
        id,
        role: item.role,
        status: 'completed',
        parts: item.content.map((content) => partOfClient(content, format)),
      }
  }
}

type ClientContent = Extract<ClientItem, { type: 'message' }>['content'][number]

function partOfClient(content: ClientContent, format: WireAudioFormat): Part {
  if (content.type !== 'input_audio' && content.type !== 'output_audio')
    return { kind: 'text', text: content.text ?? '' }
  const audio = content.audio ?? ''
  const clips = audio === '' ? [] : [fromWire(Buffer.from(audio, 'base64'), format)]
  return { kind: 'audio', transcript: content.transcript ?? (clips.length === 0 ? '' : null), clips }
}
