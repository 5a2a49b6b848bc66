// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of ApiKey items. */
export type ApiKeyPage = Page<ApiKey>

/** A key of the organization, without its secret. */
export interface ApiKey {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** What the key is for. */
  name: string
  /** The beginning of the key, to tell it from others. */
  prefix: string
  /** What the key may do. */
  scopes: Scope[]
  /** When it stops working; null: never. */
  expiresAt: string | null
  /** When it was last used, to the minute. */
  lastUsedAt: string | null
}

/** A key to be made. */
export interface ApiKeyInput {
  /** What the key is for. One key per integration and environment is best. */
  name: string
  /** What the key may do; at most what the calling key may. */
  scopes: Scope[]
  /** When it stops working; at most when the calling key does. */
  expiresAt?: string | null | undefined
}

/** A new key, with its secret. */
export interface CreatedApiKey {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** What the key is for. */
  name: string
  /** The beginning of the key, to tell it from others. */
  prefix: string
  /** What the key may do. */
  scopes: Scope[]
  /** When it stops working; null: never. */
  expiresAt: string | null
  /** When it was last used, to the minute. */
  lastUsedAt: string | null
  /** The key itself. It is shown this once and never again. */
  key: string
}

/**
 * What a key may do. Write includes read. `approval:delegate` lets an MCP client decide on tool calls, which
 * is a person’s to do: no role covers it, and an owner or the operator gives it to a key on purpose.
 */
export type Scope = 'org:manage' | 'question:ask' | 'realtime:create' | 'approval:decide' | 'agent:read' | 'agent:write' | 'connection:read' | 'connection:write' | 'conversation:read' | 'conversation:write' | 'task:read' | 'task:write' | 'file:read' | 'file:write' | 'webhook:read' | 'webhook:write' | 'usage:read' | 'usage:write' | 'audit:read' | 'approval:delegate'
