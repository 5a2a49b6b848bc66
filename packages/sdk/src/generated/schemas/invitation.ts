// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Role } from '../schemas/member.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of Invitation items. */
export type InvitationPage = Page<Invitation>

/** An invitation, without its link. */
export interface Invitation {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The invited address. Null: the link works for anyone who has it, as links of the operator do. */
  email: string | null
  /** The role of the new member. */
  role: Role
  /** The name of the person or key that created the invitation. */
  invitedBy: string | null
  /** When the link expires. */
  expiresAt: string
  /** When it was accepted. Null: not yet. */
  acceptedAt: string | null
}

/** The body that creates an invitation. */
export interface InvitationInput {
  /** Who is invited. */
  email: string
  /** The role of the new member. Only owners can invite owners. */
  role: Role
}

/** A new invitation, with its link. */
export interface CreatedInvitation {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The invited address. Null: the link works for anyone who has it, as links of the operator do. */
  email: string | null
  /** The role of the new member. */
  role: Role
  /** The name of the person or key that created the invitation. */
  invitedBy: string | null
  /** When the link expires. */
  expiresAt: string
  /** When it was accepted. Null: not yet. */
  acceptedAt: string | null
  /** The link to send to the person. It is shown only once. */
  link: string
}

/** The token of an invitation. */
export interface InvitationToken {
  /** The value of `token=` in the link. */
  token: string
}

/** What the link reveals about an invitation. */
export interface PresentedInvitation {
  /** The organization that the person would join. */
  organizationName: string
  /** The invited address. Null: anyone who has the link. */
  email: string | null
  /** The role of the new member. */
  role: Role
  /** When the link expires. */
  expiresAt: string
  /**
   * Whether the invited address has an account that joins: a proven one, or one of this organization. If not,
   * the person creates an account, or first signs in with one of another organization.
   */
  hasAccount: boolean
}

/** The body that accepts an invitation. A signed-in person needs only the token. */
export interface InvitationAcceptance {
  /** The value of `token=` in the link. */
  token: string
  /** The e-mail address, if the invitation names none. */
  email?: string | undefined
  /** The name, for a new account. */
  name?: string | undefined
  /** The password: a new one of at least 10 characters, or that of the existing account. */
  password?: string | undefined
  /** The second factor, if the existing account has one. */
  code?: string | undefined
}
