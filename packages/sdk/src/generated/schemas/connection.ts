// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Connection items. */
export type ConnectionPage = Page<Connection>

/** A connection to a model provider. */
export interface Connection {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name people see. */
  name: string
  /** The kind of provider. `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /** The provider's address. Null: the default of the kind. */
  baseUrl: string | null
  /** Whether realtime sessions may use the connection. */
  realtimeEnabled: boolean
  /** Whether an administrator disabled the connection. */
  governanceDisabled: boolean
  /** Whether agents without a connection use this one. */
  isDefault: boolean
  /**
   * For kind `embedded`: the connection whose text model answers for the engine. Null: the built-in demo
   * model.
   */
  chatConnectionId: string | null
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy: string | null
  /** The models. Null: the deployment's default. */
  models: {
    /** The text model. */
    chat: string | null
    /** The realtime models, the default first. */
    realtime: string[] | null
    /** The transcription model for the user's speech. */
    transcription: string | null
    /** The speech model. */
    speech: string | null
  }
  /** Whether a key is stored. The key itself is never shown. */
  hasApiKey: boolean
}

/** The body that creates or replaces a connection. */
export interface ConnectionInput {
  /** The name people see. */
  name: string
  /** The kind of provider. `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /** The provider's address. Null: the default of the kind. */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions may use the connection. Default: `true`. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator disabled the connection. Default: `false`. */
  governanceDisabled?: boolean | undefined
  /** Whether agents without a connection use this one. Default: `false`. */
  isDefault?: boolean | undefined
  /**
   * For kind `embedded`: the connection whose text model answers for the engine. Null: the built-in demo
   * model.
   */
  chatConnectionId?: string | null | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
  /** The models. Null: the deployment's default. Default: `{}`. */
  models?: {
    /** The default text model of agents. Null: none. */
    chat?: string | null | undefined
    /**
     * The realtime models, the default first. Null: the deployment's default, usually `gpt-realtime-2.1`.
     * Empty: none.
     */
    realtime?: string[] | null | undefined
    /** The transcription model for the user's speech. Null: the deployment's default, usually `gpt-transcribe`. */
    transcription?: string | null | undefined
    /** The speech model. */
    speech?: string | null | undefined
  } | undefined
  /**
   * The provider's key. Write-only. Left out: the stored key stays. Null: the key is deleted. A new address
   * also deletes the stored key.
   */
  apiKey?: string | null | undefined
}

/** A merge patch of a connection. */
export interface ConnectionPatch {
  /** The name people see. */
  name?: string | undefined
  /** The kind of provider. `embedded` is the built-in engine. */
  kind?: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded' | undefined
  /** The provider's address. Null: the default of the kind. */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions may use the connection. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator disabled the connection. */
  governanceDisabled?: boolean | undefined
  /** Whether agents without a connection use this one. */
  isDefault?: boolean | undefined
  /**
   * For kind `embedded`: the connection whose text model answers for the engine. Null: the built-in demo
   * model.
   */
  chatConnectionId?: string | null | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
  /** The models. Null: the deployment's default. */
  models?: {
    /** The default text model of agents. Null: none. */
    chat?: string | null | undefined
    /**
     * The realtime models, the default first. Null: the deployment's default, usually `gpt-realtime-2.1`.
     * Empty: none.
     */
    realtime?: string[] | null | undefined
    /** The transcription model for the user's speech. Null: the deployment's default, usually `gpt-transcribe`. */
    transcription?: string | null | undefined
    /** The speech model. */
    speech?: string | null | undefined
  } | undefined
  /**
   * The provider's key. Write-only. Left out: the stored key stays. Null: the key is deleted. A new address
   * also deletes the stored key.
   */
  apiKey?: string | null | undefined
}

/** The body that creates or replaces a connection by its external id. The id is in the path. */
export interface ConnectionUpsert {
  /** The name people see. */
  name: string
  /** The kind of provider. `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /** The provider's address. Null: the default of the kind. */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions may use the connection. Default: `true`. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator disabled the connection. Default: `false`. */
  governanceDisabled?: boolean | undefined
  /** Whether agents without a connection use this one. Default: `false`. */
  isDefault?: boolean | undefined
  /**
   * For kind `embedded`: the connection whose text model answers for the engine. Null: the built-in demo
   * model.
   */
  chatConnectionId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
  /** The models. Null: the deployment's default. Default: `{}`. */
  models?: {
    /** The default text model of agents. Null: none. */
    chat?: string | null | undefined
    /**
     * The realtime models, the default first. Null: the deployment's default, usually `gpt-realtime-2.1`.
     * Empty: none.
     */
    realtime?: string[] | null | undefined
    /** The transcription model for the user's speech. Null: the deployment's default, usually `gpt-transcribe`. */
    transcription?: string | null | undefined
    /** The speech model. */
    speech?: string | null | undefined
  } | undefined
  /**
   * The provider's key. Write-only. Left out: the stored key stays. Null: the key is deleted. A new address
   * also deletes the stored key.
   */
  apiKey?: string | null | undefined
}

/** The result of a test call. */
export interface ConnectionTest {
  /** Whether the provider answered and accepted the key. */
  ok: boolean
  /** The result, and what to do about it. */
  detail: string
  /** The HTTP status of the provider. Null: no answer. */
  providerStatus: number | null
  /** The duration of the test call. */
  durationMilliseconds: number
  /** Configured models that the provider does not list. */
  missingModels: string[]
}
