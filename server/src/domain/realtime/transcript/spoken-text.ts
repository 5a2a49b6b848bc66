import { listField, objectField, type ProviderEvent, textField } from '../protocol/provider-frame.js'

/** Events that end a user's transcript. The second name is nobody's own; it is taken in good will. */
export const userTriggers: ReadonlySet<string> = new Set([
  'conversation.item.input_audio_transcription.completed',
  'input_audio.transcript.done',
])

/** Events that end an assistant's transcript or text, in today's names, the beta's and others'. */
export const assistantTriggers: ReadonlySet<string> = new Set([
  'response.audio_transcript.done',
  'response.output_audio_transcript.done',
  'response.output_text.done',
  'response.text.done',
  'response.content.done',
])

/** Pieces of an assistant's words as they come. */
export const assistantDeltas: ReadonlySet<string> = new Set([
  'response.audio_transcript.delta',
  'response.output_audio_transcript.delta',
  'response.output_text.delta',
  'response.text.delta',
])

/** What the user said, wherever a provider puts it. */
export function userText(event: ProviderEvent): string {
  return textField(event, 'transcript') ?? textField(event, 'text') ?? textField(event, 'content') ?? ''
}

/** What the assistant said, wherever a provider puts it; undefined where only the pieces have it. */
export function assistantText(event: ProviderEvent): string | undefined {
  const part = objectField(event, 'part')
  const parts = listField(event, 'content').map(
    (item) => textField(item, 'transcript') ?? textField(item, 'text') ?? '',
  )
  return (
    textField(event, 'transcript') ??
    textField(event, 'text') ??
    textField(event, 'content') ??
    textField(part, 'transcript') ??
    textField(part, 'text') ??
    (parts.length > 0 ? parts.join('') : undefined)
  )
}

/** What a user typed into an item. */
export function typedText(item: Readonly<Record<string, unknown>>): string {
  return listField(item, 'content')
    .filter(isTyped)
    .map((part) => textField(part, 'text') ?? '')
    .join('\n')
}

export const isTyped = (part: object) => textField(part, 'type') === 'input_text'

export const isAudio = (part: object) => textField(part, 'type') === 'input_audio'

export const isBlank = (text: string) => text.trim() === ''
