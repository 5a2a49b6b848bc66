// Generated from the contract by `npm run generate`. Do not edit.

import type { Role } from '../schemas/member.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of `Invitation` objects. */
export type InvitationPage = Page<Invitation>

/** An invitation to join the organization, without its link. */
export interface Invitation {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /**
   * The invited email address. `null` if anyone with the link can accept the invitation. Only invitations
   * created by the operator have no email address.
   */
  email: string | null
  /** The role of the new member. */
  role: Role
  /** The name of the user, API key or operator that created the invitation. `null` if it has none. */
  invitedBy: string | null
  /** When the invitation link expires (UTC). */
  expiresAt: string
  /** When the invitation was accepted (UTC). `null` if it has not been accepted. */
  acceptedAt: string | null
}

/** The parameters for creating an invitation. */
export interface InvitationInput {
  /** The email address to invite. */
  email: string
  /** The role of the new member. Only owners can invite owners. */
  role: Role
}

/** A new invitation, including its link. */
export interface CreatedInvitation {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /**
   * The invited email address. `null` if anyone with the link can accept the invitation. Only invitations
   * created by the operator have no email address.
   */
  email: string | null
  /** The role of the new member. */
  role: Role
  /** The name of the user, API key or operator that created the invitation. `null` if it has none. */
  invitedBy: string | null
  /** When the invitation link expires (UTC). */
  expiresAt: string
  /** When the invitation was accepted (UTC). `null` if it has not been accepted. */
  acceptedAt: string | null
  /** The invitation link to send to the user. It is returned only once. */
  link: string
}

/** The token of an invitation link. */
export interface InvitationToken {
  /** The value of the `token` parameter in the invitation link. */
  token: string
}

/** The details of an invitation that are visible to anyone with the link. */
export interface PresentedInvitation {
  /** The name of the organization to join. */
  organizationName: string
  /** The invited email address. `null` if anyone with the link can accept the invitation. */
  email: string | null
  /** The role of the new member. */
  role: Role
  /** When the invitation link expires (UTC). */
  expiresAt: string
  /**
   * Whether the user can accept with an existing account: one in this organization, or one with a verified
   * email address. If `false`, the user creates an account, or signs in with an account from another
   * organization before accepting.
   */
  hasAccount: boolean
}

/** The parameters for accepting an invitation. Signed-in users only send the token. */
export interface InvitationAcceptance {
  /** The value of the `token` parameter in the invitation link. */
  token: string
  /** The email address. Required if the invitation has none. */
  email?: string | undefined
  /** The name of the user. Required for a new account. */
  name?: string | undefined
  /**
   * The password of the existing account, or a new password for a new account. A new password must have at
   * least 10 characters and must not be a common one.
   */
  password?: string | undefined
  /** The code of the second factor, if it is enabled for the existing account. */
  code?: string | undefined
}
