import { z } from 'zod'
import { id, nameInput, resourceFields, text, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { roles } from './role.js'
import { patchable, writable } from './writable.js'

export const Role = z
  .enum(roles)
  .meta({ id: 'Role', description: 'The role of a member. Each role has a fixed set of scopes.' })

/** An email address, converted to lower case. It identifies a user. */
export const emailAddress = () => z.email().max(254).toLowerCase()

export const Member = z
  .object({
    ...resourceFields,
    personId: id().describe('The ID of the user. A user can be a member of several organizations.'),
    email: z.string().describe('The email address of the user.'),
    name: z.string().describe('The name of the user.'),
    role: Role.describe('The role of the user in this organization.'),
    hasTotp: z.boolean().describe('Whether the user has enabled a second factor.'),
  })
  .meta({ id: 'Member', description: 'A member of the organization.' })

export const MemberPatch = patchable({ role: Role.describe('The new role of the member.') }, [
  ...Object.keys(resourceFields),
  'personId',
  'email',
  'name',
  'hasTotp',
]).meta({
  id: 'MemberPatch',
  description: 'The parameters for changing the role of a member.',
  examples: [{ role: 'builder' }],
})

export const MemberPage = pageOf(Member, 'Member')

export const MemberListQuery = z.strictObject(pageQuery)

export const Invitation = z
  .object({
    ...resourceFields,
    email: z
      .string()
      .nullable()
      .describe(
        'The invited email address. `null` if anyone with the link can accept the invitation. Only invitations created by the operator have no email address.',
      ),
    role: Role.describe('The role of the new member.'),
    invitedBy: z
      .string()
      .nullable()
      .describe(
        'The name of the user, API key or operator that created the invitation. `null` if it has none.',
      ),
    expiresAt: timestamp().describe('When the invitation link expires (UTC).'),
    acceptedAt: timestamp()
      .nullable()
      .describe('When the invitation was accepted (UTC). `null` if it has not been accepted.'),
  })
  .meta({ id: 'Invitation', description: 'An invitation to join the organization, without its link.' })

export const CreatedInvitation = Invitation.extend({
  link: z.string().describe('The invitation link to send to the user. It is returned only once.'),
}).meta({ id: 'CreatedInvitation', description: 'A new invitation, including its link.' })

export const InvitationInput = writable(
  {
    email: emailAddress().describe('The email address to invite.'),
    role: Role.describe('The role of the new member. Only owners can invite owners.'),
  },
  [...Object.keys(resourceFields), 'invitedBy', 'expiresAt', 'acceptedAt'],
).meta({
  id: 'InvitationInput',
  description: 'The parameters for creating an invitation.',
  examples: [{ email: 'kim@hotel.example.com', role: 'builder' }],
})

export const InvitationPage = pageOf(Invitation, 'Invitation')

export const InvitationListQuery = z.strictObject(pageQuery)

const token = () => text(100).describe('The value of the `token` parameter in the invitation link.')

export const InvitationToken = z.strictObject({ token: token() }).meta({
  id: 'InvitationToken',
  description: 'The token of an invitation link.',
  examples: [{ token: '<token from the link>' }],
})

export const PresentedInvitation = z
  .object({
    organizationName: z.string().describe('The name of the organization to join.'),
    email: z
      .string()
      .nullable()
      .describe('The invited email address. `null` if anyone with the link can accept the invitation.'),
    role: Role.describe('The role of the new member.'),
    expiresAt: timestamp().describe('When the invitation link expires (UTC).'),
    hasAccount: z
      .boolean()
      .describe(
        'Whether the user can accept with an existing account: one in this organization, or one with a verified email address. If `false`, the user creates an account, or signs in with an account from another organization before accepting.',
      ),
  })
  .meta({
    id: 'PresentedInvitation',
    description: 'The details of an invitation that are visible to anyone with the link.',
  })

export const InvitationAcceptance = z
  .strictObject({
    token: token(),
    email: emailAddress().optional().describe('The email address. Required if the invitation has none.'),
    name: nameInput(200).optional().describe('The name of the user. Required for a new account.'),
    password: z
      .string()
      .max(1000)
      .optional()
      .describe(
        'The password of the existing account, or a new password for a new account. A new password must have at least 10 characters and must not be a common one.',
      ),
    code: text(100)
      .optional()
      .describe('The code of the second factor, if it is enabled for the existing account.'),
  })
  .meta({
    id: 'InvitationAcceptance',
    description: 'The parameters for accepting an invitation. Signed-in users only send the token.',
    examples: [{ token: '<token from the link>', name: 'Kim Berg', password: 'a long sentence to remember' }],
  })

export type Role = z.output<typeof Role>
export type Member = z.output<typeof Member>
export type MemberPatch = z.output<typeof MemberPatch>
export type MemberListQuery = z.output<typeof MemberListQuery>
export type Invitation = z.output<typeof Invitation>
export type InvitationInput = z.output<typeof InvitationInput>
export type InvitationListQuery = z.output<typeof InvitationListQuery>
export type PresentedInvitation = z.output<typeof PresentedInvitation>
export type InvitationAcceptance = z.output<typeof InvitationAcceptance>
