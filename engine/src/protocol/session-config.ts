import type {
  RealtimeAudioInputTurnDetection,
  RealtimeSessionCreateRequest,
} from 'openai/resources/realtime/realtime'
import type { WireAudioFormat } from '../audio/wire-audio.js'
import { invalidRequest, type ProtocolError } from './protocol-error.js'

export type SessionUpdate = RealtimeSessionCreateRequest
type Request = SessionUpdate
type RequestInput = NonNullable<NonNullable<Request['audio']>['input']>
type RequestOutput = NonNullable<NonNullable<Request['audio']>['output']>

export type ServerVad = Required<RealtimeAudioInputTurnDetection.ServerVad>
export type SemanticVad = Required<RealtimeAudioInputTurnDetection.SemanticVad>
export type TurnDetection = ServerVad | SemanticVad

/** A session as the protocol tells it, with nothing left open. What is off and has no word for it is left out. */
export interface SessionConfig extends Request {
  readonly object: 'realtime.session'
  readonly id: string
  /** Seconds since 1970. */
  readonly expires_at: number
  readonly model: string
  readonly output_modalities: ['text'] | ['audio']
  readonly instructions: string
  readonly audio: {
    readonly input: RequestInput & { format: WireAudioFormat; turn_detection: TurnDetection | null }
    readonly output: RequestOutput & { format: WireAudioFormat; voice: string; speed: number }
  }
  readonly tools: NonNullable<Request['tools']>
  readonly tool_choice: NonNullable<Request['tool_choice']>
  readonly max_output_tokens: number | 'inf'
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
      input: { format: pcm, turn_detection: completeTurnDetection({ type: 'server_vad' }) },
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
  | { readonly kind: 'changed'; readonly config: SessionConfig }
  | { readonly kind: 'refused'; readonly error: ProtocolError }

/** Takes over the fields that are present, and no other. The update has been checked for its shape before. */
export function changeSession(config: SessionConfig, update: Request, hasSpoken: boolean): SessionChange {
  const refusal = findRefusal(config, update, hasSpoken)
  if (refusal !== null) return { kind: 'refused', error: refusal }
  const { audio, parallel_tool_calls: _, include, ...rest } = update
  const changed = {
    ...config,
    ...rest,
    ...(include === undefined || include === null ? {} : { include }),
    audio: {
      input: changeInput(config.audio.input, audio?.input ?? {}),
      output: changeOutput(config.audio.output, audio?.output ?? {}),
    },
  }
  return { kind: 'changed', config: changed as SessionConfig }
}

function findRefusal(config: SessionConfig, update: Request, hasSpoken: boolean): ProtocolError | null {
  if (update.model !== undefined && update.model !== config.model)
    return invalidRequest(
      'invalid_value',
      "A session's model cannot be changed. Connect again.",
      'session.model',
    )
  const mistake = findModalityMistake(update.output_modalities, 'session.output_modalities')
  if (mistake !== null) return mistake
  const voice = update.audio?.output?.voice
  if (voice !== undefined && hasSpoken && voiceName(voice) !== config.audio.output.voice)
    return invalidRequest(
      'cannot_update_voice',
      "Cannot update a conversation's voice if assistant audio is present.",
      'session.audio.output.voice',
    )
  return findRepeatedTool(update.tools ?? [])
}

/** An answer is either text or audio; audio always carries its transcript. */
export function findModalityMistake(
  modalities: readonly string[] | undefined,
  param: string,
): ProtocolError | null {
  if (modalities === undefined || modalities.length === 1) return null
  const message = `Invalid modalities: [${modalities.map((name) => `'${name}'`).join(', ')}]. Supported combinations are: ['text'] and ['audio'].`
  return invalidRequest('invalid_value', message, param)
}

function findRepeatedTool(tools: NonNullable<Request['tools']>): ProtocolError | null {
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const name = ('name' in tool ? tool.name : undefined) ?? ''
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

function changeInput(current: SessionConfig['audio']['input'], update: RequestInput) {
  const { turn_detection, transcription, noise_reduction, ...rest } = update
  const changed = { ...current, ...rest }
  if (turn_detection !== undefined)
    changed.turn_detection = turn_detection === null ? null : completeTurnDetection(turn_detection)
  if (transcription === null) delete changed.transcription
  else if (transcription !== undefined) {
    const {
      delay: _delay,
      keywords: _keywords,
      ...told
    } = transcription as typeof transcription & {
      readonly keywords?: unknown
    }
    changed.transcription = told
  }
  if (noise_reduction === null) delete changed.noise_reduction
  else if (noise_reduction?.type !== undefined) changed.noise_reduction = { type: noise_reduction.type }
  return changed
}

function changeOutput(current: SessionConfig['audio']['output'], { voice, ...rest }: RequestOutput) {
  return { ...current, ...rest, ...(voice === undefined ? {} : { voice: voiceName(voice) }) }
}

export function voiceName(voice: NonNullable<RequestOutput['voice']>): string {
  return typeof voice === 'string' ? voice : voice.id
}

function completeTurnDetection(detection: RealtimeAudioInputTurnDetection): TurnDetection {
  const answers = { create_response: true, interrupt_response: true }
  if (detection.type === 'semantic_vad') return { eagerness: 'auto', ...answers, ...detection }
  return {
    threshold: 0.5,
    prefix_padding_ms: 300,
    silence_duration_ms: 500,
    idle_timeout_ms: null,
    ...answers,
    ...detection,
  }
}
