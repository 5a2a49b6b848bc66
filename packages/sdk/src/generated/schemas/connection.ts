// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Connection items. */
export type ConnectionPage = Page<Connection>

/** A model provider and how to reach it. */
export interface Connection {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name people see. */
  name: string
  /** Which provider it is; `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /** The provider's address; null: the kind's own. */
  baseUrl: string | null
  /** Whether realtime sessions may use it. */
  realtimeEnabled: boolean
  /** Whether an administrator has switched it off. */
  governanceDisabled: boolean
  /** Whether agents that name no connection use it. */
  isDefault: boolean
  /**
   * For kind `embedded`: the connection whose text model the engine speaks for; null: the built-in offline
   * model.
   */
  chatConnectionId: string | null
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy: string | null
  /** The models to use; the deployment decides where one is null. */
  models: {
    /** The text model. */
    chat: string | null
    /** The realtime models, the default first. */
    realtime: string[] | null
    /** The model that writes down what was said. */
    transcription: string | null
    /** The model that speaks. */
    speech: string | null
  }
  /** Whether a key is stored; the key itself is never shown. */
  hasApiKey: boolean
}

/** A connection as it is created or replaced. */
export interface ConnectionInput {
  /** The name people see. */
  name: string
  /** Which provider it is; `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /** The provider's address; null: the kind's own. */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions may use it. Default: `true`. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator has switched it off. Default: `false`. */
  governanceDisabled?: boolean | undefined
  /** Whether agents that name no connection use it. Default: `false`. */
  isDefault?: boolean | undefined
  /**
   * For kind `embedded`: the connection whose text model the engine speaks for; null: the built-in offline
   * model.
   */
  chatConnectionId?: string | null | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
  /** The models to use; the deployment decides where one is null. Default: `{}`. */
  models?: {
    /** The text model of agents that name none; null: there is none. */
    chat?: string | null | undefined
    /**
     * The realtime models, the default first; null: the deployment's, `gpt-realtime-2.1` unless it says
     * otherwise; an empty list: none.
     */
    realtime?: string[] | null | undefined
    /**
     * The model that writes down what was said; null: the deployment's, `gpt-transcribe` unless it says
     * otherwise.
     */
    transcription?: string | null | undefined
    /** The model that speaks. */
    speech?: string | null | undefined
  } | undefined
  /** The provider's key. Write-only: left out it stays, null clears it; a new address drops it. */
  apiKey?: string | null | undefined
}

/** A merge patch of a connection. */
export interface ConnectionPatch {
  /** The name people see. */
  name?: string | undefined
  /** Which provider it is; `embedded` is the built-in engine. */
  kind?: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded' | undefined
  /** The provider's address; null: the kind's own. */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions may use it. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator has switched it off. */
  governanceDisabled?: boolean | undefined
  /** Whether agents that name no connection use it. */
  isDefault?: boolean | undefined
  /**
   * For kind `embedded`: the connection whose text model the engine speaks for; null: the built-in offline
   * model.
   */
  chatConnectionId?: string | null | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
  /** The models to use; the deployment decides where one is null. */
  models?: {
    /** The text model of agents that name none; null: there is none. */
    chat?: string | null | undefined
    /**
     * The realtime models, the default first; null: the deployment's, `gpt-realtime-2.1` unless it says
     * otherwise; an empty list: none.
     */
    realtime?: string[] | null | undefined
    /**
     * The model that writes down what was said; null: the deployment's, `gpt-transcribe` unless it says
     * otherwise.
     */
    transcription?: string | null | undefined
    /** The model that speaks. */
    speech?: string | null | undefined
  } | undefined
  /** The provider's key. Write-only: left out it stays, null clears it; a new address drops it. */
  apiKey?: string | null | undefined
}

/** A connection as it is created or replaced under its external id, which stands in the path. */
export interface ConnectionUpsert {
  /** The name people see. */
  name: string
  /** Which provider it is; `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /** The provider's address; null: the kind's own. */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions may use it. Default: `true`. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator has switched it off. Default: `false`. */
  governanceDisabled?: boolean | undefined
  /** Whether agents that name no connection use it. Default: `false`. */
  isDefault?: boolean | undefined
  /**
   * For kind `embedded`: the connection whose text model the engine speaks for; null: the built-in offline
   * model.
   */
  chatConnectionId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
  /** The models to use; the deployment decides where one is null. Default: `{}`. */
  models?: {
    /** The text model of agents that name none; null: there is none. */
    chat?: string | null | undefined
    /**
     * The realtime models, the default first; null: the deployment's, `gpt-realtime-2.1` unless it says
     * otherwise; an empty list: none.
     */
    realtime?: string[] | null | undefined
    /**
     * The model that writes down what was said; null: the deployment's, `gpt-transcribe` unless it says
     * otherwise.
     */
    transcription?: string | null | undefined
    /** The model that speaks. */
    speech?: string | null | undefined
  } | undefined
  /** The provider's key. Write-only: left out it stays, null clears it; a new address drops it. */
  apiKey?: string | null | undefined
}

/** The outcome of trying a connection. */
export interface ConnectionTest {
  /** Whether the provider answered and took the key. */
  ok: boolean
  /** What was found, and what to do about it. */
  detail: string
  /** The HTTP status of the provider; null where it did not answer. */
  providerStatus: number | null
  /** How long the try took. */
  durationMilliseconds: number
  /** Models named here that the provider does not list. */
  missingModels: string[]
}
