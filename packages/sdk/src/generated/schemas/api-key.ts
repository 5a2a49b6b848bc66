// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of ApiKey items. */
export type ApiKeyPage = Page<ApiKey>

/** An API key of the organization, without its secret. */
export interface ApiKey {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The purpose of the key. */
  name: string
  /** The first characters of the key, to identify it. */
  prefix: string
  /** The scopes of the key. */
  scopes: Scope[]
  /** When the key expires. Null: never. */
  expiresAt: string | null
  /** When it was last used, to the minute. */
  lastUsedAt: string | null
}

/** The body that creates an API key. */
export interface ApiKeyInput {
  /** The purpose of the key. Use one key per integration and environment. */
  name: string
  /** The scopes of the key, at most those of the calling key. */
  scopes: Scope[]
  /** When the key expires, at the latest when the calling key does. */
  expiresAt?: string | null | undefined
}

/** A new API key, with its secret. */
export interface CreatedApiKey {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The purpose of the key. */
  name: string
  /** The first characters of the key, to identify it. */
  prefix: string
  /** The scopes of the key. */
  scopes: Scope[]
  /** When the key expires. Null: never. */
  expiresAt: string | null
  /** When it was last used, to the minute. */
  lastUsedAt: string | null
  /** The key. It is shown only once. */
  key: string
}

/**
 * The scopes of a key. Write includes read. `approval:delegate` lets an MCP client decide on tool calls, which
 * people normally do. No role includes it. An owner or the operator grants it to a key explicitly.
 */
export type Scope = 'org:manage' | 'question:ask' | 'realtime:create' | 'approval:decide' | 'agent:read' | 'agent:write' | 'connection:read' | 'connection:write' | 'conversation:read' | 'conversation:write' | 'task:read' | 'task:write' | 'file:read' | 'file:write' | 'webhook:read' | 'webhook:write' | 'usage:read' | 'usage:write' | 'audit:read' | 'approval:delegate'
