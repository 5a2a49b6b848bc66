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
      "Takes effect with the person's next call. Only owners can add, change and remove owners, and the last owner cannot change (409). Open invitations that exceed the new role end.",
    scope: 'org:manage',
    params: memberParams,
    body: MemberPatch,
    outcome: 'The updated member.',
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
      "The person's next call to this organization is rejected, and their open invitations end. The last owner cannot be removed (409).",
    scope: 'org:manage',
    params: memberParams,
    outcome: 'The member is removed. The answer has no body.',
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
    description: 'The answer contains the link, which is never shown again. It works once, for seven days.',
    scope: 'org:manage',
    body: InvitationInput,
    outcome: 'The invitation, with its link, which is shown only once.',
    status: 201,
    answer: CreatedInvitation,
    refusals: ['Conflict'],
  }),
  deleteInvitation: defineOperation({
    operationId: 'deleteInvitation',
    method: 'DELETE',
    path: '/api/v1/Invitation/{invitationId}',
    tag: 'Invitation',
    summary: 'Revoke an invitation',
    scope: 'org:manage',
    params: invitationParams,
    outcome: 'The invitation is deleted and its link no longer works. The answer has no body.',
    status: 204,
  }),
}

export const invitedOperations = {
  findInvitation: definePersonOperation({
    operationId: 'findInvitation',
    method: 'POST',
    path: '/api/v1/Invitation/by-token',
    tag: 'Invitation',
    summary: 'Preview an invitation',
    caller: 'anyone',
    body: InvitationToken,
    outcome: 'What the link reveals.',
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
      'A new person gives a name and a new password. A known person gives their password, or is signed in. The person is signed in afterwards.',
    caller: 'anyone',
    body: InvitationAcceptance,
    outcome: 'The signed-in person. The cookie is set.',
    status: 201,
    answer: SignedIn,
    refusals: ['InvitationInvalid', 'SignInFailed', 'SecondFactorRequired', 'Conflict', 'CrossSiteRequest'],
  }),
}
