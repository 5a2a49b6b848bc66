import { describe, expect, test } from 'vitest'
import { changeSession, defaultSession, type SessionConfig } from '#engine/protocol/session-config.js'
import { sessionUpdate } from '#engine/protocol/session-schema.js'

const start = defaultSession('sess', 'model', 1)

function change(update: object, from: SessionConfig = start): SessionConfig {
  const result = changeSession(from, sessionUpdate.parse({ type: 'realtime', ...update }), false)
  if (!result.ok) throw new Error(result.error.message)
  return result.config
}

describe('An update', () => {
  test('changes the named fields and no others', () => {
    const changed = change({ instructions: 'Be brief.', audio: { output: { voice: 'echo' } } })
    expect(changed).toEqual({
      ...start,
      instructions: 'Be brief.',
      audio: { ...start.audio, output: { ...start.audio.output, voice: 'echo' } },
    })
  })

  test('changes nothing if it is empty', () => {
    expect(change({})).toEqual(start)
  })

  test('fills in defaults for turn detection', () => {
    const input = (turn_detection: object) => change({ audio: { input: { turn_detection } } }).audio.input
    expect(input({ type: 'server_vad', threshold: 0.8 }).turn_detection).toEqual({
      type: 'server_vad',
      threshold: 0.8,
      prefix_padding_ms: 300,
      silence_duration_ms: 500,
      idle_timeout_ms: null,
      create_response: true,
      interrupt_response: true,
    })
    expect(input({ type: 'semantic_vad' }).turn_detection).toEqual({
      type: 'semantic_vad',
      eagerness: 'auto',
      create_response: true,
      interrupt_response: true,
    })
  })

  test('switches off fields that are null', () => {
    const on = change({
      audio: { input: { transcription: { model: 'm' }, noise_reduction: { type: 'near_field' } } },
    })
    expect(on.audio.input).toMatchObject({
      transcription: { model: 'm' },
      noise_reduction: { type: 'near_field' },
    })
    const off = change(
      { audio: { input: { transcription: null, noise_reduction: null, turn_detection: null } } },
      on,
    )
    expect(off.audio.input).toEqual({ format: start.audio.input.format, turn_detection: null })
  })

  test('accepts a voice by its id', () => {
    expect(change({ audio: { output: { voice: { id: 'voice_1' } } } }).audio.output.voice).toBe('voice_1')
  })

  test('cannot change the voice after the first audio', () => {
    const update = (voice: string) =>
      changeSession(start, { type: 'realtime', audio: { output: { voice } } }, true).ok
    expect([update('echo'), update('alloy')]).toEqual([false, true])
  })
})
