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

const memberParams = z.strictObject({ memberId: id().describe('The ID of the member.') })
const invitationParams = z.strictObject({ invitationId: id().describe('The ID of the invitation.') })

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
    response: MemberPage,
  }),
  patchMember: defineOperation({
    operationId: 'patchMember',
    method: 'PATCH',
    path: '/api/v1/Member/{memberId}',
    tag: 'Member',
    summary: 'Change the role of a member',
    description:
      'The new role applies from the next request of the user. Only owners can add, change and remove owners. The role of the last owner cannot be changed (409). Open invitations of the member that exceed the new role are revoked.',
    scope: 'org:manage',
    params: memberParams,
    body: MemberPatch,
    outcome: 'The updated member.',
    status: 200,
    response: Member,
    errors: ['LastOwner'],
  }),
  deleteMember: defineOperation({
    operationId: 'deleteMember',
    method: 'DELETE',
    path: '/api/v1/Member/{memberId}',
    tag: 'Member',
    summary: 'Remove a member',
    description:
      'The user immediately loses access to the organization, and their open invitations are revoked. The last owner cannot be removed (409).',
    scope: 'org:manage',
    params: memberParams,
    outcome: 'The member was removed. The response has no body.',
    status: 204,
    errors: ['LastOwner'],
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
    response: InvitationPage,
  }),
  createInvitation: defineOperation({
    operationId: 'createInvitation',
    method: 'POST',
    path: '/api/v1/Invitation',
    tag: 'Invitation',
    summary: 'Create an invitation',
    description:
      'The response contains the invitation link, which is returned only once. The link can be used once within seven days.',
    scope: 'org:manage',
    body: InvitationInput,
    outcome: 'The invitation, including its link.',
    status: 201,
    response: CreatedInvitation,
    errors: ['Conflict'],
  }),
  deleteInvitation: defineOperation({
    operationId: 'deleteInvitation',
    method: 'DELETE',
    path: '/api/v1/Invitation/{invitationId}',
    tag: 'Invitation',
    summary: 'Revoke an invitation',
    scope: 'org:manage',
    params: invitationParams,
    outcome: 'The invitation was revoked. The response has no body.',
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
    outcome: 'The details of the invitation.',
    status: 200,
    response: PresentedInvitation,
    errors: ['InvitationInvalid'],
  }),
  acceptInvitation: definePersonOperation({
    operationId: 'acceptInvitation',
    method: 'POST',
    path: '/api/v1/Invitation/accept',
    tag: 'Invitation',
    summary: 'Accept an invitation',
    description:
      'New users send a name and a new password. Existing users send their password, or are already signed in. Afterwards, the user is signed in.',
    caller: 'anyone',
    body: InvitationAcceptance,
    outcome: 'The signed-in user. The session cookie is set.',
    status: 201,
    response: SignedIn,
    errors: ['InvitationInvalid', 'SignInFailed', 'SecondFactorRequired', 'Conflict', 'CrossSiteRequest'],
  }),
}
