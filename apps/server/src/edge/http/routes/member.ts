import { operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerMemberRoutes(
  { read, write }: Router,
  { people: { members, invitations } }: Services,
): void {
  read(operations.listMembers, ({ query }, scope) => members.list(scope, query))
  write(operations.patchMember, ({ params, body }, scope) => members.change(scope, params.memberId, body))
  write(operations.deleteMember, ({ params }, scope) => members.remove(scope, params.memberId))
  read(operations.listInvitations, ({ query }, scope) => invitations.list(scope, query))
  write(operations.createInvitation, ({ body }, scope) => invitations.create(scope, body))
  write(operations.deleteInvitation, ({ params }, scope) => invitations.remove(scope, params.invitationId))
}
