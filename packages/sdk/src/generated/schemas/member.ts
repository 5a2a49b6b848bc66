// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Member items. */
export type MemberPage = Page<Member>

/** A member of the organization. */
export interface Member {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The person. One person may be a member of several organizations. */
  personId: string
  /** The person's e-mail address. */
  email: string
  /** The person's name. */
  name: string
  /** The role of the person in this organization. */
  role: Role
  /** Whether the person signs in with a second factor. */
  hasTotp: boolean
}

/** The body that changes the role of a member. */
export interface MemberPatch {
  /** The new role. */
  role?: Role | undefined
}

/** The role of a member: a fixed list of scopes, the same that keys have. */
export type Role = 'owner' | 'admin' | 'builder' | 'approver' | 'viewer'
