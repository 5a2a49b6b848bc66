// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `Connection` objects. */
export type ConnectionPage = Page<Connection>

/** A connection to a model provider. */
export interface Connection {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The display name of the connection. */
  name: string
  /** The kind of the provider. `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'azure-voice-live' | 'xai' | 'qwen' | 'google' | 'openai-compatible' | 'anthropic' | 'embedded'
  /**
   * The base URL of the provider. If `null`, the default URL of the kind is used. For Gemini on Vertex AI, it
   * ends in `/projects/{project}/locations/{location}`.
   */
  baseUrl: string | null
  /** Whether realtime sessions can use the connection. */
  realtimeEnabled: boolean
  /** Whether an administrator disabled the connection. */
  governanceDisabled: boolean
  /** Whether agents without a connection use this one. */
  isDefault: boolean
  /**
   * The ID of the connection whose text model the built-in engine uses. Only for kind `embedded`. If `null`,
   * the built-in demo model is used.
   */
  chatConnectionId: string | null
  /**
   * The protocol of the realtime models. Only for kind `openai`. If `null`, models whose name begins with
   * `gpt-live` use `live`, and all others use `realtime`.
   */
  realtimeProtocol: 'realtime' | 'live' | null
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
  /** The models of the connection. */
  models: {
    /** The default text model of agents. `null` if there is none. */
    chat: string | null
    /** The realtime models. The first one is the default. If `null`, the deployment's default is used. */
    realtime: string[] | null
    /** The model that transcribes the user's speech. If `null`, the deployment's default is used. */
    transcription: string | null
    /** The speech model. `null` if there is none. */
    speech: string | null
  }
  /** Whether an API key is stored. The key itself is never returned. */
  hasApiKey: boolean
}

/** The parameters for creating or replacing a connection. */
export interface ConnectionInput {
  /** The display name of the connection. */
  name: string
  /** The kind of the provider. `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'azure-voice-live' | 'xai' | 'qwen' | 'google' | 'openai-compatible' | 'anthropic' | 'embedded'
  /**
   * The base URL of the provider. If `null`, the default URL of the kind is used. For Gemini on Vertex AI, it
   * ends in `/projects/{project}/locations/{location}`.
   */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions can use the connection. Default: `true`. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator disabled the connection. Default: `false`. */
  governanceDisabled?: boolean | undefined
  /** Whether agents without a connection use this one. Default: `false`. */
  isDefault?: boolean | undefined
  /**
   * The ID of the connection whose text model the built-in engine uses. Only for kind `embedded`. If `null`,
   * the built-in demo model is used.
   */
  chatConnectionId?: string | null | undefined
  /**
   * The protocol of the realtime models. Only for kind `openai`. If `null`, models whose name begins with
   * `gpt-live` use `live`, and all others use `realtime`.
   */
  realtimeProtocol?: 'realtime' | 'live' | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /** The models of the connection. Default: `{}`. */
  models?: {
    /** The default text model of agents. `null` if there is none. */
    chat?: string | null | undefined
    /**
     * The realtime models. The first one is the default. If `null`, the deployment's default is used, usually
     * `gpt-realtime-2.1`. If empty, the connection has no realtime models.
     */
    realtime?: string[] | null | undefined
    /**
     * The model that transcribes the user's speech. If `null`, the deployment's default is used, usually
     * `gpt-transcribe`.
     */
    transcription?: string | null | undefined
    /** The speech model. `null` if there is none. */
    speech?: string | null | undefined
  } | undefined
  /**
   * The API key of the provider, or the JSON key of a service account for Gemini on Vertex AI. Write-only. If
   * omitted, the stored key is kept. If `null`, the stored key is deleted. Changing `baseUrl` also deletes the
   * stored key.
   */
  apiKey?: string | null | undefined
}

/** A merge patch for a connection. */
export interface ConnectionPatch {
  /** The display name of the connection. */
  name?: string | undefined
  /** The kind of the provider. `embedded` is the built-in engine. */
  kind?: 'openai' | 'azure-openai' | 'azure-voice-live' | 'xai' | 'qwen' | 'google' | 'openai-compatible' | 'anthropic' | 'embedded' | undefined
  /**
   * The base URL of the provider. If `null`, the default URL of the kind is used. For Gemini on Vertex AI, it
   * ends in `/projects/{project}/locations/{location}`.
   */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions can use the connection. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator disabled the connection. */
  governanceDisabled?: boolean | undefined
  /** Whether agents without a connection use this one. */
  isDefault?: boolean | undefined
  /**
   * The ID of the connection whose text model the built-in engine uses. Only for kind `embedded`. If `null`,
   * the built-in demo model is used.
   */
  chatConnectionId?: string | null | undefined
  /**
   * The protocol of the realtime models. Only for kind `openai`. If `null`, models whose name begins with
   * `gpt-live` use `live`, and all others use `realtime`.
   */
  realtimeProtocol?: 'realtime' | 'live' | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /** The models of the connection. */
  models?: {
    /** The default text model of agents. `null` if there is none. */
    chat?: string | null | undefined
    /**
     * The realtime models. The first one is the default. If `null`, the deployment's default is used, usually
     * `gpt-realtime-2.1`. If empty, the connection has no realtime models.
     */
    realtime?: string[] | null | undefined
    /**
     * The model that transcribes the user's speech. If `null`, the deployment's default is used, usually
     * `gpt-transcribe`.
     */
    transcription?: string | null | undefined
    /** The speech model. `null` if there is none. */
    speech?: string | null | undefined
  } | undefined
  /**
   * The API key of the provider, or the JSON key of a service account for Gemini on Vertex AI. Write-only. If
   * omitted, the stored key is kept. If `null`, the stored key is deleted. Changing `baseUrl` also deletes the
   * stored key.
   */
  apiKey?: string | null | undefined
}

/** The parameters for creating or replacing a connection by its external ID, which is part of the path. */
export interface ConnectionUpsert {
  /** The display name of the connection. */
  name: string
  /** The kind of the provider. `embedded` is the built-in engine. */
  kind: 'openai' | 'azure-openai' | 'azure-voice-live' | 'xai' | 'qwen' | 'google' | 'openai-compatible' | 'anthropic' | 'embedded'
  /**
   * The base URL of the provider. If `null`, the default URL of the kind is used. For Gemini on Vertex AI, it
   * ends in `/projects/{project}/locations/{location}`.
   */
  baseUrl?: string | null | undefined
  /** Whether realtime sessions can use the connection. Default: `true`. */
  realtimeEnabled?: boolean | undefined
  /** Whether an administrator disabled the connection. Default: `false`. */
  governanceDisabled?: boolean | undefined
  /** Whether agents without a connection use this one. Default: `false`. */
  isDefault?: boolean | undefined
  /**
   * The ID of the connection whose text model the built-in engine uses. Only for kind `embedded`. If `null`,
   * the built-in demo model is used.
   */
  chatConnectionId?: string | null | undefined
  /**
   * The protocol of the realtime models. Only for kind `openai`. If `null`, models whose name begins with
   * `gpt-live` use `live`, and all others use `realtime`.
   */
  realtimeProtocol?: 'realtime' | 'live' | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /** The models of the connection. Default: `{}`. */
  models?: {
    /** The default text model of agents. `null` if there is none. */
    chat?: string | null | undefined
    /**
     * The realtime models. The first one is the default. If `null`, the deployment's default is used, usually
     * `gpt-realtime-2.1`. If empty, the connection has no realtime models.
     */
    realtime?: string[] | null | undefined
    /**
     * The model that transcribes the user's speech. If `null`, the deployment's default is used, usually
     * `gpt-transcribe`.
     */
    transcription?: string | null | undefined
    /** The speech model. `null` if there is none. */
    speech?: string | null | undefined
  } | undefined
  /**
   * The API key of the provider, or the JSON key of a service account for Gemini on Vertex AI. Write-only. If
   * omitted, the stored key is kept. If `null`, the stored key is deleted. Changing `baseUrl` also deletes the
   * stored key.
   */
  apiKey?: string | null | undefined
}

/** The result of testing a connection. */
export interface ConnectionTest {
  /** Whether the provider responded and accepted the API key. */
  ok: boolean
  /** A description of the result, and of what to do next. */
  detail: string
  /** The HTTP status code of the response. `null` if the provider did not respond. */
  providerStatus: number | null
  /** The duration of the test request in milliseconds. */
  durationMilliseconds: number
  /** The configured models that the provider does not list. */
  missingModels: string[]
}
