import type { ConnectionKind } from '@parley/contract'
import type { AgentRecord, ConnectionRecord } from '../../../ports/agent-stores.js'
import type { Stores } from '../../../ports/database.js'
import type { ProviderTool, RealtimeAccessMode, SessionSetup } from '../../../ports/realtime-stores.js'
import type { Caller } from '../../caller-scope.js'
import { type ChatSource, chatSourceOf } from '../../connections/chat-target.js'
import { speaksLive } from '../../connections/live-protocol.js'
import { DomainError } from '../../domain-error.js'
import { rehearsedTools, withFileSearch } from '../../tools/catalog/tool-catalog.js'

export interface RealtimeDefaults {
  readonly model: string
  readonly transcriptionModel: string
}

interface RealtimeModels {
  readonly model: string
  readonly transcriptionModel: string
}

/** The default models of kinds that do not offer the models of OpenAI. The engine has only one model of each kind. */
const ownModels: Readonly<Partial<Record<ConnectionKind, RealtimeDefaults>>> = {
  embedded: { model: 'parley-engine', transcriptionModel: 'parley-engine' },
  xai: { model: 'grok-voice-latest', transcriptionModel: 'grok-transcribe' },
  qwen: { model: 'qwen3.8-omni-flash-realtime', transcriptionModel: 'qwen3-asr-flash-realtime' },
  // Gemini transcribes itself.
  google: { model: 'gemini-3.8-live', transcriptionModel: 'gemini-3.8-live' },
  'azure-voice-live': { model: 'gpt-realtime', transcriptionModel: 'whisper-1' },
}

/** Returns the voice of sessions for which no voice is chosen. */
export const defaultVoiceOf = ({ kind }: ConnectionRecord) => ownVoices[kind] ?? 'alloy'

const ownVoices: Readonly<Partial<Record<ConnectionKind, string>>> = {
  xai: 'ara',
  qwen: 'Tina',
  google: 'Puck',
}

/** Returns the connection's realtime models for this agent. Throws if there are none. */
export function realtimeModelsOf(
  agent: Pick<AgentRecord, 'realtimeModel'>,
  usable: ConnectionRecord,
  defaults: RealtimeDefaults,
): RealtimeModels {
  const { models, own } = offeredModels(usable, defaults)
  const [first] = models
  if (first === undefined) throw unsupportedModel(`The connection ${usable.name} has no realtime model.`)
  if (agent.realtimeModel !== null && !models.includes(agent.realtimeModel))
    throw unsupportedModel(
      `The connection ${usable.name} does not offer the realtime model ${agent.realtimeModel}.`,
    )
  return {
    model: agent.realtimeModel ?? first,
    transcriptionModel: usable.models.transcription ?? own.transcriptionModel,
  }
}

/** Throws if the connection no longer offers a model that was selected earlier. */
export function requireModel(usable: ConnectionRecord, model: string, defaults: RealtimeDefaults): void {
  if (!offeredModels(usable, defaults).models.includes(model))
    throw unsupportedModel(`The connection ${usable.name} no longer offers the realtime model ${model}.`)
}

function offeredModels(connection: ConnectionRecord, defaults: RealtimeDefaults) {
  const own = ownModels[connection.kind] ?? defaults
  return { own, models: connection.models.realtime ?? [own.model] }
}

/**
 * Returns the text model that answers behind a voice of GPT-Live. Returns null for models of other protocols. Throws if
 * there is none. `agentModel` is the agent's text model if this is the agent's own connection.
 */
export function requireBackendModel(
  connection: ConnectionRecord,
  model: string,
  agentModel: string | null,
): string | null {
  if (!speaksLive(connection, model)) return null
  const { name, models } = connection
  const backend = agentModel ?? models.chat
  if (backend !== null) return backend
  throw unsupportedModel(
    `The realtime model ${model} needs a text model that answers and calls tools. Set models.chat of the connection ${name}.`,
  )
}

/** Returns the connection. Throws if a realtime session cannot use it at the moment. */
export function requireRealtime(connection: ConnectionRecord | null): ConnectionRecord {
  if (connection === null)
    throw unsupportedConnection(
      'The agent has no connection, and the organization has no default connection.',
    )
  const { name } = connection
  if (connection.governanceDisabled)
    throw unsupportedConnection(`An administrator has disabled the connection ${name}.`)
  if (!connection.realtimeEnabled)
    throw unsupportedConnection(`The connection ${name} is not enabled for realtime.`)
  if (connection.kind === 'anthropic')
    throw unsupportedConnection(`Connections of this kind do not support realtime audio: ${name}.`)
  return connection
}

/**
 * Returns the text model that the engine currently provides the voice for. Returns null if the engine uses
 * its own model, or if the provider is not the engine.
 */
export async function requireVoicedModel(
  stores: Stores,
  connection: ConnectionRecord,
  agent: Pick<AgentRecord, 'model'>,
): Promise<ChatSource | null> {
  if (connection.chatConnectionId === null) return null
  const found = await chatSourceOf(stores, connection, agent.model)
  if (!found.ok) throw unsupportedConnection(found.problem)
  return found.source
}

/**
 * Converts the models of a session in their order, and leaves out those that cannot be used. Throws the first error if
 * none is left.
 */
export async function usableOnes<Model, Usable>(
  models: readonly Model[],
  convert: (model: Model) => Promise<Usable>,
): Promise<[Usable, ...Usable[]]> {
  const usable: Usable[] = []
  const errors: DomainError[] = []
  for (const model of models)
    try {
      usable.push(await convert(model))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      errors.push(error)
    }
  const [first, ...others] = usable
  if (first === undefined) throw errors[0]
  return [first, ...others]
}

const unsupportedConnection = (detail: string) => new DomainError('RealtimeUnsupportedConnection', detail)
const unsupportedModel = (detail: string) => new DomainError('RealtimeUnsupportedModel', detail)

export interface AccessSettings {
  readonly enabled: boolean
  /** The kinds of callers that may open sessions in this deployment. */
  readonly accessModes: readonly RealtimeAccessMode[]
}

/** Returns the access mode of a caller: people use the console, and API keys use the API. */
export function accessModeOf({ actor }: Pick<Caller, 'actor'>): RealtimeAccessMode {
  return actor.type === 'person' ? 'console' : 'api'
}

/** Throws if realtime is disabled in this deployment. */
export function requireEnabled({ enabled }: AccessSettings): void {
  if (!enabled)
    throw new DomainError('RealtimeNotEnabled', 'Realtime sessions are disabled in this deployment.')
}

/** Throws if this deployment does not allow sessions of this access mode. */
export function requireAccessMode(settings: AccessSettings, mode: RealtimeAccessMode): void {
  requireEnabled(settings)
  if (!settings.accessModes.includes(mode))
    throw new DomainError(
      'RealtimeNotEnabled',
      `Realtime sessions cannot be started ${means[mode]} in this deployment.`,
    )
}

const means: Readonly<Record<RealtimeAccessMode, string>> = {
  api: 'with an API key',
  console: 'in the console',
}

/** A tool of the agent or of the client, in the format for the provider. */
export function definitionOf({ name, description, parameters }: Omit<ProviderTool, 'type'>): ProviderTool {
  return { type: 'function', name, description, parameters }
}

/**
 * Adds file search to the setup if the conversation has files when the session starts. The files may have
 * been added after the session was created.
 */
export function searchingFiles(setup: SessionSetup): SessionSetup {
  const searching = withFileSearch(setup.backendTools, setup.tools)
  const backendTools = rehearsedTools(searching, setup.rehearsal)
  const added = backendTools.slice(setup.backendTools.length)
  return { ...setup, backendTools, tools: [...setup.tools, ...added.map(definitionOf)] }
}
