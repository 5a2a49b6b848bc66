import { z } from 'zod'
import { answeredMoment, id, resourceFields, text, writtenName } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { roles } from './role.js'
import { patchable, writable } from './writable.js'

export const Role = z
  .enum(roles)
  .meta({ id: 'Role', description: 'The role of a member: a fixed list of scopes, the same that keys have.' })

/** An e-mail address in lower case. It identifies a person. */
export const emailAddress = () => z.email().max(254).toLowerCase()

export const Member = z
  .object({
    ...resourceFields,
    personId: id().describe('The person. One person may be a member of several organizations.'),
    email: z.string().describe("The person's e-mail address."),
    name: z.string().describe("The person's name."),
    role: Role.describe('The role of the person in this organization.'),
    hasTotp: z.boolean().describe('Whether the person signs in with a second factor.'),
  })
  .meta({ id: 'Member', description: 'A member of the organization.' })

export const MemberPatch = patchable({ role: Role.describe('The new role.') }, [
  ...Object.keys(resourceFields),
  'personId',
  'email',
  'name',
  'hasTotp',
]).meta({
  id: 'MemberPatch',
  description: 'The body that changes the role of a member.',
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
        'The invited address. Null: the link works for anyone who has it, as links of the operator do.',
      ),
    role: Role.describe('The role of the new member.'),
    invitedBy: z.string().nullable().describe('The name of the person or key that created the invitation.'),
    expiresAt: answeredMoment().describe('When the link expires.'),
    acceptedAt: answeredMoment().nullable().describe('When it was accepted. Null: not yet.'),
  })
  .meta({ id: 'Invitation', description: 'An invitation, without its link.' })

export const CreatedInvitation = Invitation.extend({
  link: z.string().describe('The link to send to the person. It is shown only once.'),
}).meta({ id: 'CreatedInvitation', description: 'A new invitation, with its link.' })

export const InvitationInput = writable(
  {
    email: emailAddress().describe('Who is invited.'),
    role: Role.describe('The role of the new member. Only owners can invite owners.'),
  },
  [...Object.keys(resourceFields), 'invitedBy', 'expiresAt', 'acceptedAt'],
).meta({
  id: 'InvitationInput',
  description: 'The body that creates an invitation.',
  examples: [{ email: 'kim@hotel.example.com', role: 'builder' }],
})

export const InvitationPage = pageOf(Invitation, 'Invitation')

export const InvitationListQuery = z.strictObject(pageQuery)

const token = () => text(100).describe('The value of `token=` in the link.')

export const InvitationToken = z.strictObject({ token: token() }).meta({
  id: 'InvitationToken',
  description: 'The token of an invitation.',
  examples: [{ token: '<43 characters out of the link>' }],
})

export const PresentedInvitation = z
  .object({
    organizationName: z.string().describe('The organization that the person would join.'),
    email: z.string().nullable().describe('The invited address. Null: anyone who has the link.'),
    role: Role.describe('The role of the new member.'),
    expiresAt: answeredMoment().describe('When the link expires.'),
    hasAccount: z
      .boolean()
      .describe(
        'Whether the invited address has an account that joins: a proven one, or one of this organization. If not, the person creates an account, or first signs in with one of another organization.',
      ),
  })
  .meta({ id: 'PresentedInvitation', description: 'What the link reveals about an invitation.' })

export const InvitationAcceptance = z
  .strictObject({
    token: token(),
    email: emailAddress().optional().describe('The e-mail address, if the invitation names none.'),
    name: writtenName(200).optional().describe('The name, for a new account.'),
    password: z
      .string()
      .max(1000)
      .optional()
      .describe('The password: a new one of at least 10 characters, or that of the existing account.'),
    code: text(100).optional().describe('The second factor, if the existing account has one.'),
  })
  .meta({
    id: 'InvitationAcceptance',
    description: 'The body that accepts an invitation. A signed-in person needs only the token.',
    examples: [
      { token: '<43 characters out of the link>', name: 'Kim Berg', password: 'a long sentence to remember' },
    ],
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
