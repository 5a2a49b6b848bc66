import { type AudioClip, joinSamples, millisecondsOf } from '../audio/pcm.js'
import { toWire, type WireAudioFormat } from '../audio/wire-audio.js'
import type { WireItem } from '../protocol/server-event.js'

export type ItemStatus = 'completed' | 'incomplete' | 'in_progress'

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
}

/** Audio and its transcript. An answer has a clip for each sentence, so that it can be cut after the words that were heard. */
export interface AudioPart {
  readonly kind: 'audio'
  /** `null` until the speech is transcribed. */
  readonly transcript: string | null
  readonly clips: readonly AudioClip[]
}

export type Part = TextPart | AudioPart

export interface MessageItem {
  readonly kind: 'message'
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly status: ItemStatus
  readonly parts: readonly Part[]
}

export interface CallItem {
  readonly kind: 'call'
  readonly id: string
  readonly status: ItemStatus
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

export interface OutputItem {
  readonly kind: 'output'
  readonly id: string
  readonly callId: string
  readonly output: string
}

export type Item = MessageItem | CallItem | OutputItem

/** Converts an item to its wire form. Audio is large, so it is included only on request. */
export function wireItem(item: Item, soundFormat: WireAudioFormat | null = null): WireItem {
  switch (item.kind) {
    case 'call':
      return {
        id: item.id,
        object: 'realtime.item',
        type: 'function_call',
        status: item.status,
        name: item.name,
        call_id: item.callId,
        arguments: item.arguments,
      }
    case 'output':
      return {
        id: item.id,
        object: 'realtime.item',
        type: 'function_call_output',
        status: 'completed',
        call_id: item.callId,
        output: item.output,
      }
    case 'message':
      return wireMessage(item, soundFormat)
  }
}

function wireMessage(item: MessageItem, soundFormat: WireAudioFormat | null): WireItem {
  const common = { id: item.id, object: 'realtime.item', type: 'message', status: item.status } as const
  const isAnswer = item.role === 'assistant'
  if (isAnswer)
    return {
      ...common,
      role: 'assistant',
      content: item.parts.map((part) =>
        part.kind === 'text'
          ? { type: 'output_text', text: part.text }
          : { type: 'output_audio', transcript: part.transcript ?? '', ...sound(part, soundFormat) },
      ),
    }
  if (item.role === 'system')
    return {
      ...common,
      role: 'system',
      content: item.parts.map((part) => ({ type: 'input_text', text: textOf(part) })),
    }
  return {
    ...common,
    role: 'user',
    content: item.parts.map((part) =>
      part.kind === 'text'
        ? { type: 'input_text', text: part.text }
        : // Clients require the key, so a missing transcript is sent as empty text.
          { type: 'input_audio', transcript: part.transcript ?? '', ...sound(part, soundFormat) },
    ),
  }
}

function sound(part: AudioPart, format: WireAudioFormat | null): { audio?: string } {
  if (format === null || part.clips.length === 0) return {}
  return { audio: Buffer.concat(part.clips.map((clip) => toWire(clip, format))).toString('base64') }
}

export function textOf(part: Part): string {
  return part.kind === 'text' ? part.text : (part.transcript ?? '')
}

export function partMilliseconds(part: Part): number {
  return part.kind === 'text' ? 0 : part.clips.reduce((total, clip) => total + millisecondsOf(clip), 0)
}

/** Joins all audio of a part into one clip. */
export function wholeClip(part: AudioPart): AudioClip {
  const rate = part.clips[0]?.rate ?? 16_000
  return { rate, samples: joinSamples(part.clips.map((clip) => clip.samples)) }
}
