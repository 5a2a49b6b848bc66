// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `Member` objects. */
export type MemberPage = Page<Member>

/** A member of the organization. */
export interface Member {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The ID of the user. A user can be a member of several organizations. */
  personId: string
  /** The email address of the user. */
  email: string
  /** The name of the user. */
  name: string
  /** The role of the user in this organization. */
  role: Role
  /** Whether the user has enabled a second factor. */
  hasTotp: boolean
}

/** The parameters for changing the role of a member. */
export interface MemberPatch {
  /** The new role of the member. */
  role?: Role | undefined
}

/** The role of a member. Each role has a fixed set of scopes. */
export type Role = 'owner' | 'admin' | 'builder' | 'approver' | 'viewer'
