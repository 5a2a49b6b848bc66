import type { WireAudioFormat } from '../audio/wire-audio.js'
import { invalidRequest, type ProtocolError } from './protocol-error.js'
import { type FunctionTool, type SessionUpdate, type TurnDetection, turnDetection } from './session-schema.js'

type UpdateAudio = NonNullable<SessionUpdate['audio']>
type UpdateInput = NonNullable<UpdateAudio['input']>
type Transcription = Omit<NonNullable<UpdateInput['transcription']>, 'delay' | 'keywords'>
type NoiseReduction = Required<Pick<NonNullable<UpdateInput['noise_reduction']>, 'type'>>

/** A session as the protocol describes it, with all defaults filled in. Omits disabled features that have no value for "off". */
export interface SessionConfig
  extends Required<Omit<SessionUpdate, 'audio' | 'include' | 'parallel_tool_calls' | 'reasoning'>>,
    Pick<SessionUpdate, 'reasoning'> {
  readonly object: 'realtime.session'
  readonly id: string
  /** Unix time in seconds. */
  readonly expires_at: number
  readonly audio: {
    readonly input: {
      readonly format: WireAudioFormat
      readonly turn_detection: TurnDetection | null
      readonly transcription?: Transcription
      readonly noise_reduction?: NoiseReduction
    }
    readonly output: { readonly format: WireAudioFormat; readonly voice: string; readonly speed: number }
  }
  readonly include?: NonNullable<SessionUpdate['include']>
}

const pcm: WireAudioFormat = { type: 'audio/pcm', rate: 24_000 }

export function defaultSession(id: string, model: string, expiresAt: number): SessionConfig {
  return {
    type: 'realtime',
    object: 'realtime.session',
    id,
    expires_at: expiresAt,
    model,
    output_modalities: ['audio'],
    instructions: '',
    audio: {
      input: { format: pcm, turn_detection: turnDetection.parse({ type: 'server_vad' }) },
      output: { format: pcm, voice: 'alloy', speed: 1 },
    },
    tools: [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    truncation: 'auto',
    prompt: null,
    tracing: null,
  }
}

export type SessionChange =
  | { readonly ok: true; readonly config: SessionConfig }
  | { readonly ok: false; readonly error: ProtocolError }

/** Copies only the fields that are present. */
export function changeSession(
  config: SessionConfig,
  update: SessionUpdate,
  hasSpoken: boolean,
): SessionChange {
  const error = findError(config, update, hasSpoken)
  if (error !== null) return { ok: false, error }
  const { audio, parallel_tool_calls: _, include, ...rest } = update
  const changed: SessionConfig = {
    ...config,
    ...rest,
    ...(include === undefined || include === null ? {} : { include }),
    audio: {
      input: changeInput(config.audio.input, audio?.input ?? {}),
      output: { ...config.audio.output, ...audio?.output },
    },
  }
  return { ok: true, config: changed }
}

function findError(config: SessionConfig, update: SessionUpdate, hasSpoken: boolean): ProtocolError | null {
  if (update.model !== undefined && update.model !== config.model)
    return invalidRequest(
      'invalid_value',
      "A session's model cannot be changed. Connect again.",
      'session.model',
    )
  const voice = update.audio?.output?.voice
  if (voice !== undefined && hasSpoken && voice !== config.audio.output.voice)
    return invalidRequest(
      'cannot_update_voice',
      "Cannot update a conversation's voice if assistant audio is present.",
      'session.audio.output.voice',
    )
  return findToolError(update.tools ?? [])
}

function findToolError(tools: readonly FunctionTool[]): ProtocolError | null {
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    const param = `session.tools[${index}].name`
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
      return invalidRequest(
        'invalid_value',
        `Invalid tool name: '${name}'. Use 1 to 64 letters, digits, '_' and '-'.`,
        param,
      )
    if (names.has(name)) return invalidRequest('invalid_value', `Two tools are named '${name}'.`, param)
    names.add(name)
  }
  return null
}

function changeInput(
  current: SessionConfig['audio']['input'],
  { transcription, noise_reduction: noiseReduction, ...rest }: UpdateInput,
): SessionConfig['audio']['input'] {
  const { transcription: oldTranscription, noise_reduction: oldNoiseReduction, ...others } = current
  return {
    ...others,
    ...rest,
    ...changeTranscription(oldTranscription, transcription),
    ...changeNoiseReduction(oldNoiseReduction, noiseReduction),
  }
}

function changeTranscription(
  current: Transcription | undefined,
  update: UpdateInput['transcription'],
): { readonly transcription?: Transcription } {
  if (update === null) return {}
  if (update === undefined) return current === undefined ? {} : { transcription: current }
  const { delay: _delay, keywords: _keywords, ...transcription } = update
  return { transcription }
}

function changeNoiseReduction(
  current: NoiseReduction | undefined,
  update: UpdateInput['noise_reduction'],
): { readonly noise_reduction?: NoiseReduction } {
  if (update === null) return {}
  if (update?.type !== undefined) return { noise_reduction: { type: update.type } }
  return current === undefined ? {} : { noise_reduction: current }
}
