import { z } from 'zod'
import { answeredMoment, id, resourceFields, text, writtenName } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { roles } from './role.js'
import { patchable, writable } from './writable.js'

export const Role = z
  .enum(roles)
  .meta({ id: 'Role', description: 'What a member may do: a fixed list of scopes, the same that keys have.' })

/** An e-mail address, in lower case: people are told apart by it. */
export const emailAddress = () => z.email().max(254).toLowerCase()

export const Member = z
  .object({
    ...resourceFields,
    personId: id().describe('The person; the same one may be a member of several organizations.'),
    email: z.string().describe("The person's e-mail address."),
    name: z.string().describe("The person's name."),
    role: Role.describe('What the person may do here.'),
    hasTotp: z.boolean().describe('Whether the person signs in with a second factor.'),
  })
  .meta({ id: 'Member', description: 'A person who belongs to the organization.' })

export const MemberPatch = patchable({ role: Role.describe('What the person may do here.') }, [
  ...Object.keys(resourceFields),
  'personId',
  'email',
  'name',
  'hasTotp',
]).meta({ id: 'MemberPatch', description: 'Another role for a member.', examples: [{ role: 'builder' }] })

export const MemberPage = pageOf(Member, 'Member')

export const MemberListQuery = z.strictObject(pageQuery)

export const Invitation = z
  .object({
    ...resourceFields,
    email: z
      .string()
      .nullable()
      .describe('Who is invited; null where the link is for whoever has it, as the operator makes it.'),
    role: Role.describe('What the person will be.'),
    invitedBy: z.string().nullable().describe('The name of whoever made it.'),
    expiresAt: answeredMoment().describe('When the link stops working.'),
    acceptedAt: answeredMoment().nullable().describe('When it was accepted; null while it was not.'),
  })
  .meta({ id: 'Invitation', description: 'A way into the organization, without its link.' })

export const CreatedInvitation = Invitation.extend({
  link: z.string().describe('The link to send to the person. It is shown this once and never again.'),
}).meta({ id: 'CreatedInvitation', description: 'A new invitation, with its link.' })

export const InvitationInput = writable(
  {
    email: emailAddress().describe('Who is invited.'),
    role: Role.describe('What the person will be; owners are invited by owners alone.'),
  },
  [...Object.keys(resourceFields), 'invitedBy', 'expiresAt', 'acceptedAt'],
).meta({
  id: 'InvitationInput',
  description: 'An invitation to be made.',
  examples: [{ email: 'kim@hotel.example.com', role: 'builder' }],
})

export const InvitationPage = pageOf(Invitation, 'Invitation')

export const InvitationListQuery = z.strictObject(pageQuery)

const token = () => text(100).describe('What stands in the link behind `token=`.')

export const InvitationToken = z.strictObject({ token: token() }).meta({
  id: 'InvitationToken',
  description: 'What an invitation is found by.',
  examples: [{ token: '<43 characters out of the link>' }],
})

export const PresentedInvitation = z
  .object({
    organizationName: z.string().describe('The organization that one would belong to.'),
    email: z.string().nullable().describe('Who is invited; null: whoever has the link.'),
    role: Role.describe('What one would be.'),
    expiresAt: answeredMoment().describe('When the link stops working.'),
    hasAccount: z
      .boolean()
      .describe(
        'Whether the invited address has an account that joins: a proven one, or one of this organization. If not, the person makes an account, or signs in with one of another organization first.',
      ),
  })
  .meta({ id: 'PresentedInvitation', description: 'What whoever has the link may know of an invitation.' })

export const InvitationAcceptance = z
  .strictObject({
    token: token(),
    email: emailAddress().optional().describe('Your e-mail address, where the invitation names none.'),
    name: writtenName(200).optional().describe('Your name, where you are new here.'),
    password: z
      .string()
      .max(1000)
      .optional()
      .describe('Your password: a new one of at least 10 characters, or the one that you have here.'),
    code: text(100).optional().describe('Your second factor, where you have one here already.'),
  })
  .meta({
    id: 'InvitationAcceptance',
    description: 'An invitation that is accepted. Whoever is signed in needs the token alone.',
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
