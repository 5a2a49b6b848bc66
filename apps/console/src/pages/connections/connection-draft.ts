import type { Connection, ConnectionInput } from '@parley/sdk'
import { baseUrlError, onlyErrors, secretError } from '../../data/field-errors'
import { type ConnectionKind, connectionKinds } from './connection-kinds'

/** The form values of a connection. An empty string means null. */
export interface ConnectionDraft {
  readonly name: string
  readonly kind: ConnectionKind
  readonly baseUrl: string
  /** Write-only. Empty keeps the stored key. */
  readonly apiKey: string
  readonly removesKey: boolean
  readonly chat: string
  readonly realtime: string[]
  readonly transcription: string
  readonly speech: string
  readonly realtimeEnabled: boolean
  readonly governanceDisabled: boolean
  readonly isDefault: boolean
  readonly chatConnectionId: string | null
  readonly realtimeProtocol: Connection['realtimeProtocol']
}

export const newConnection: ConnectionDraft = {
  name: '',
  kind: 'openai',
  baseUrl: '',
  apiKey: '',
  removesKey: false,
  chat: '',
  realtime: [],
  transcription: '',
  speech: '',
  realtimeEnabled: true,
  governanceDisabled: false,
  isDefault: false,
  chatConnectionId: null,
  realtimeProtocol: null,
}

export function draftOf({ models, baseUrl, ...connection }: Connection): ConnectionDraft {
  const { name, kind, realtimeEnabled, governanceDisabled, isDefault, chatConnectionId } = connection
  return {
    name,
    kind,
    realtimeEnabled,
    governanceDisabled,
    isDefault,
    chatConnectionId,
    realtimeProtocol: connection.realtimeProtocol,
    baseUrl: baseUrl ?? '',
    apiKey: '',
    removesKey: false,
    chat: models.chat ?? '',
    realtime: models.realtime ?? [],
    transcription: models.transcription ?? '',
    speech: models.speech ?? '',
  }
}

/** The request body. An intentionally empty list of realtime models stays empty unless edited. */
export function inputOf(draft: ConnectionDraft, before: Connection | null): ConnectionInput {
  const { name, kind, realtimeEnabled, governanceDisabled, isDefault } = draft
  const { address, takesKey } = connectionKinds[kind]
  const none = before?.models.realtime?.length === 0 ? [] : null
  return {
    name,
    kind,
    realtimeEnabled,
    governanceDisabled,
    isDefault,
    baseUrl: address === 'none' ? null : orNull(draft.baseUrl),
    chatConnectionId: kind === 'embedded' ? draft.chatConnectionId : null,
    realtimeProtocol: kind === 'openai' ? draft.realtimeProtocol : null,
    models: {
      chat: orNull(draft.chat),
      realtime: draft.realtime.length > 0 ? draft.realtime : none,
      transcription: orNull(draft.transcription),
      speech: orNull(draft.speech),
    },
    ...keyChange(draft, takesKey),
  }
}

function keyChange(
  { apiKey, removesKey }: ConnectionDraft,
  takesKey: boolean,
): Pick<ConnectionInput, 'apiKey'> {
  if (apiKey !== '' && takesKey) return { apiKey }
  return removesKey || !takesKey ? { apiKey: null } : {}
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

export function validateDraft(draft: ConnectionDraft): Readonly<Record<string, string>> {
  const { address } = connectionKinds[draft.kind]
  const isMissing = address === 'needed' && draft.baseUrl.trim() === ''
  return onlyErrors({
    name: draft.name.trim() === '' && 'Name is required',
    baseUrl: address !== 'none' && (isMissing ? 'Base URL is required' : baseUrlError(draft.baseUrl)),
    apiKey: keyError(draft),
  })
}

function keyError(draft: ConnectionDraft): string | undefined {
  if (draft.apiKey === '' || !usesVertex(draft)) return secretError(draft.apiKey)
  return isServiceAccountKey(draft.apiKey) ? undefined : 'Must be the JSON key of a service account'
}

/** Whether a connection leads to a project of Vertex AI, whose key is that of a service account. */
export function usesVertex({ kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>): boolean {
  return kind === 'google' && /\/projects\/[^/]+\/locations\/[^/]+\/*$/.test(baseUrl?.trim() ?? '')
}

function isServiceAccountKey(text: string): boolean {
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === 'service_account'
  } catch {
    return false
  }
}
