// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Role } from '../schemas/member.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of Invitation items. */
export type InvitationPage = Page<Invitation>

/** A way into the organization, without its link. */
export interface Invitation {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** Who is invited; null where the link is for whoever has it, as the operator makes it. */
  email: string | null
  /** What the person will be. */
  role: Role
  /** The name of whoever made it. */
  invitedBy: string | null
  /** When the link stops working. */
  expiresAt: string
  /** When it was accepted; null while it was not. */
  acceptedAt: string | null
}

/** An invitation to be made. */
export interface InvitationInput {
  /** Who is invited. */
  email: string
  /** What the person will be; owners are invited by owners alone. */
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
  /** Who is invited; null where the link is for whoever has it, as the operator makes it. */
  email: string | null
  /** What the person will be. */
  role: Role
  /** The name of whoever made it. */
  invitedBy: string | null
  /** When the link stops working. */
  expiresAt: string
  /** When it was accepted; null while it was not. */
  acceptedAt: string | null
  /** The link to send to the person. It is shown this once and never again. */
  link: string
}

/** What an invitation is found by. */
export interface InvitationToken {
  /** What stands in the link behind `token=`. */
  token: string
}

/** What whoever has the link may know of an invitation. */
export interface PresentedInvitation {
  /** The organization that one would belong to. */
  organizationName: string
  /** Who is invited; null: whoever has the link. */
  email: string | null
  /** What one would be. */
  role: Role
  /** When the link stops working. */
  expiresAt: string
  /**
   * Whether the invited address has an account that joins: a proven one, or one of this organization. If not,
   * the person makes an account, or signs in with one of another organization first.
   */
  hasAccount: boolean
}

/** An invitation that is accepted. Whoever is signed in needs the token alone. */
export interface InvitationAcceptance {
  /** What stands in the link behind `token=`. */
  token: string
  /** Your e-mail address, where the invitation names none. */
  email?: string | undefined
  /** Your name, where you are new here. */
  name?: string | undefined
  /** Your password: a new one of at least 10 characters, or the one that you have here. */
  password?: string | undefined
  /** Your second factor, where you have one here already. */
  code?: string | undefined
}
