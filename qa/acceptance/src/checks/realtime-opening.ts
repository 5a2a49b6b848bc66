import { randomBytes } from 'node:crypto'
import type { Check } from '../check.js'
import { sharedAgent } from '../common-agent.js'
import { expectEqual, expectProblem, expectRejection, expectThat } from '../expectations.js'
import { createTicket, sessionScopes as needs, openTicket, skipWithoutRealtime } from '../realtime/ticket.js'

const oneDatabase = 'whether all instances use the same database, and their clocks agree'

export const realtimeOpeningChecks: readonly Check[] = [
  {
    title: 'a created session has everything that a client needs',
    needs,
    look: "the agent's connection: kind, models, realtimeEnabled",
    async run(visit) {
      const ticket = await createTicket(visit)
      const { searchParams, pathname } = new URL(ticket.webSocketPath, visit.run.options.url)
      expectEqual(pathname, `/api/v1/Agent/${await sharedAgent(visit)}/realtime`, 'the path of the socket')
      expectEqual(
        [searchParams.get('conversationId'), searchParams.get('sessionId')],
        [ticket.conversationId, ticket.sessionId],
        'the conversation and the token in it',
      )
      const secondsLeft = (Date.parse(ticket.expiresAt) - Date.now()) / 1000
      expectThat(secondsLeft > 0, "a token that has not expired by this machine's clock", ticket.expiresAt)
      expectThat(ticket.supportedInputAudioFormats.length > 0, 'audio formats', ticket)
    },
  },
  {
    title: 'invalid session options are rejected',
    needs,
    look: 'the log of the request',
    async run(visit) {
      const agentId = await sharedAgent(visit)
      await createTicket(visit)
      const create = (request: object) => visit.parley.realtimeSessions.create(agentId, request)
      await expectRejection(create({ inputAudioFormat: 'mp3' }), 400, 'RealtimeAudioFormatUnsupported')
      const tool = { name: 'show_page', description: 'Shows a page.' }
      const doubled = await expectRejection(create({ clientTools: [tool, tool] }), 400, 'InvalidRequest')
      expectEqual(doubled.errors[0]?.path, 'clientTools[1].name', 'the field that the error names')
    },
  },
  {
    title: 'a plain request gets 426 and does not use up the token',
    needs,
    look: 'whether the proxy forwards plain requests to the path of the socket',
    async run(visit) {
      const ticket = await createTicket(visit)
      const asNobody = { 'x-api-key': null, 'x-org-id': null }
      expectProblem(await visit.send(ticket.webSocketPath, { headers: asNobody }), 426, 'UpgradeRequired')
      await openTicket(visit, ticket)
    },
  },
  {
    title: 'a token opens one socket, even if two are opened at once',
    needs,
    look: oneDatabase,
    async run(visit) {
      const { webSocketPath } = await createTicket(visit)
      const openings = await Promise.all([visit.open(webSocketPath), visit.open(webSocketPath)])
      const rejections = openings.flatMap((opening) => (opening.ok ? [] : [opening]))
      expectEqual(
        rejections.map(({ status, errorCode }) => [status, errorCode]),
        [[400, 'RealtimeSessionAlreadyUsed']],
        'the rejections of two sockets',
      )
      const later = await visit.open(webSocketPath)
      expectEqual(
        later.ok || later.errorCode,
        'RealtimeSessionAlreadyUsed',
        'the rejection of a third socket',
      )
    },
  },
  {
    title: 'an unknown token and the token of another agent are rejected',
    needs,
    look: oneDatabase,
    async run(visit) {
      const { webSocketPath, sessionId } = await createTicket(visit)
      const unknown = randomBytes(32).toString('base64url')
      const other = await visit.parley.agents.create({ name: `${visit.run.name} other agent` })
      for (const path of [
        webSocketPath.replace(sessionId, unknown),
        webSocketPath.replace(await sharedAgent(visit), other.id),
      ]) {
        const opening = await visit.open(path)
        expectEqual(opening.ok || opening.errorCode, 'RealtimeSessionInvalid', 'the refusal')
      }
    },
  },
  {
    title: 'any instance accepts any ticket',
    needs,
    look: `${oneDatabase}, and all have the same PARLEY_SECRET`,
    async run(visit) {
      const agentId = await sharedAgent(visit)
      const tickets = await Promise.all(
        Array.from({ length: 8 }, () =>
          visit.parley.realtimeSessions.create(agentId).catch(skipWithoutRealtime),
        ),
      )
      const sessions = await Promise.all(tickets.map((ticket) => openTicket(visit, ticket)))
      for (const session of sessions) await session.next('session.created')
    },
  },
]
