// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `ApiKey` objects. */
export type ApiKeyPage = Page<ApiKey>

/** An API key of the organization, without its secret. */
export interface ApiKey {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the key, which describes its purpose. */
  name: string
  /** The first characters of the key, which identify it. */
  prefix: string
  /** The scopes of the key. */
  scopes: Scope[]
  /** When the key expires (UTC). `null` if it never expires. */
  expiresAt: string | null
  /** When the key was last used (UTC), to the minute. `null` if it has never been used. */
  lastUsedAt: string | null
}

/** The parameters for creating an API key. */
export interface ApiKeyInput {
  /** The name of the key. Use one key per integration and environment. */
  name: string
  /** The scopes of the key. They cannot exceed the scopes of the calling key. */
  scopes: Scope[]
  /**
   * When the key expires. This cannot be later than the expiration of the calling key. If `null`, the key
   * never expires.
   */
  expiresAt?: string | null | undefined
}

/** A new API key, including its secret. */
export interface CreatedApiKey {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the key, which describes its purpose. */
  name: string
  /** The first characters of the key, which identify it. */
  prefix: string
  /** The scopes of the key. */
  scopes: Scope[]
  /** When the key expires (UTC). `null` if it never expires. */
  expiresAt: string | null
  /** When the key was last used (UTC), to the minute. `null` if it has never been used. */
  lastUsedAt: string | null
  /** The API key. It is returned only once. */
  key: string
}

/**
 * A permission of a key, role or MCP client. A write scope includes the corresponding read scope.
 * `approval:delegate` lets an MCP client approve and reject tool calls, which is normally reserved for users.
 * No role includes it: an owner or the operator must grant it to a key explicitly.
 */
export type Scope = 'org:manage' | 'question:ask' | 'realtime:create' | 'call:make' | 'approval:decide' | 'agent:read' | 'agent:write' | 'connection:read' | 'connection:write' | 'conversation:read' | 'conversation:write' | 'task:read' | 'task:write' | 'file:read' | 'file:write' | 'webhook:read' | 'webhook:write' | 'usage:read' | 'usage:write' | 'phone:read' | 'phone:write' | 'audit:read' | 'approval:delegate'
