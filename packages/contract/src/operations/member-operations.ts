import { z } from 'zod'
import { id } from '../field.js'
import {
  CreatedInvitation,
  InvitationAcceptance,
  InvitationInput,
  InvitationListQuery,
  InvitationPage,
  InvitationToken,
  Member,
  MemberListQuery,
  MemberPage,
  MemberPatch,
  PresentedInvitation,
} from '../member.js'
import { defineOperation, definePersonOperation } from '../operation.js'
import { SignedIn } from '../person.js'

const memberParams = z.strictObject({ memberId: id().describe('The id of the member.') })
const invitationParams = z.strictObject({ invitationId: id().describe('The id of the invitation.') })

export const memberOperations = {
  listMembers: defineOperation({
    operationId: 'listMembers',
    method: 'GET',
    path: '/api/v1/Member',
    tag: 'Member',
    summary: 'List members',
    scope: 'org:manage',
    query: MemberListQuery,
    outcome: 'One page of the members.',
    status: 200,
    answer: MemberPage,
  }),
  patchMember: defineOperation({
    operationId: 'patchMember',
    method: 'PATCH',
    path: '/api/v1/Member/{memberId}',
    tag: 'Member',
    summary: 'Change a role',
    description:
      'Holds from the next call of the person on. Owners alone make, change and remove owners, and the last one stays an owner (409). Open invitations that the person could not make any more end.',
    scope: 'org:manage',
    params: memberParams,
    body: MemberPatch,
    outcome: 'The member, as it is stored now.',
    status: 200,
    answer: Member,
    refusals: ['LastOwner'],
  }),
  deleteMember: defineOperation({
    operationId: 'deleteMember',
    method: 'DELETE',
    path: '/api/v1/Member/{memberId}',
    tag: 'Member',
    summary: 'Remove a member',
    description:
      'The next call of the person to this organization is refused, and their open invitations end. The last owner stays (409).',
    scope: 'org:manage',
    params: memberParams,
    outcome: 'The member is removed; there is no body.',
    status: 204,
    refusals: ['LastOwner'],
  }),
  listInvitations: defineOperation({
    operationId: 'listInvitations',
    method: 'GET',
    path: '/api/v1/Invitation',
    tag: 'Invitation',
    summary: 'List invitations',
    scope: 'org:manage',
    query: InvitationListQuery,
    outcome: 'One page of the invitations, without their links.',
    status: 200,
    answer: InvitationPage,
  }),
  createInvitation: defineOperation({
    operationId: 'createInvitation',
    method: 'POST',
    path: '/api/v1/Invitation',
    tag: 'Invitation',
    summary: 'Invite a person',
    description: 'The link is in the answer and is never shown again. It works once, for seven days.',
    scope: 'org:manage',
    body: InvitationInput,
    outcome: 'The invitation, with its link, which is shown this once.',
    status: 201,
    answer: CreatedInvitation,
    refusals: ['Conflict'],
  }),
  deleteInvitation: defineOperation({
    operationId: 'deleteInvitation',
    method: 'DELETE',
    path: '/api/v1/Invitation/{invitationId}',
    tag: 'Invitation',
    summary: 'Take an invitation back',
    scope: 'org:manage',
    params: invitationParams,
    outcome: 'The invitation is deleted, and its link works no more; there is no body.',
    status: 204,
  }),
}

export const invitedOperations = {
  findInvitation: definePersonOperation({
    operationId: 'findInvitation',
    method: 'POST',
    path: '/api/v1/Invitation/by-token',
    tag: 'Invitation',
    summary: 'See what an invitation is for',
    caller: 'anyone',
    body: InvitationToken,
    outcome: 'What whoever has the link may know.',
    status: 200,
    answer: PresentedInvitation,
    refusals: ['InvitationInvalid'],
  }),
  acceptInvitation: definePersonOperation({
    operationId: 'acceptInvitation',
    method: 'POST',
    path: '/api/v1/Invitation/accept',
    tag: 'Invitation',
    summary: 'Accept an invitation',
    description:
      'Whoever is new here gives a name and a new password; whoever has one here gives that one, or is signed in. One is signed in afterwards.',
    caller: 'anyone',
    body: InvitationAcceptance,
    outcome: 'Who is signed in now; the cookie is set.',
    status: 201,
    answer: SignedIn,
    refusals: ['InvitationInvalid', 'SignInFailed', 'SecondFactorRequired', 'Conflict', 'CrossSiteRequest'],
  }),
}
