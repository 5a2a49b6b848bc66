// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Member items. */
export type MemberPage = Page<Member>

/** A person who belongs to the organization. */
export interface Member {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The person; the same one may be a member of several organizations. */
  personId: string
  /** The person's e-mail address. */
  email: string
  /** The person's name. */
  name: string
  /** What the person may do here. */
  role: Role
  /** Whether the person signs in with a second factor. */
  hasTotp: boolean
}

/** Another role for a member. */
export interface MemberPatch {
  /** What the person may do here. */
  role?: Role | undefined
}

/** What a member may do: a fixed list of scopes, the same that keys have. */
export type Role = 'owner' | 'admin' | 'builder' | 'approver' | 'viewer'
