import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditLogRecord, Page, RealtimeSessionTicket } from '@parley/contract'
import { afterAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { runCommand, runJson } from '../../support/cli/run-command.js'
import { cleanUp, newDirectory } from '../../support/process/parley-process.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { databaseKinds } from '../../support/start-service.js'

interface Made {
  readonly organizationId: string
  readonly key: string
}

afterAll(cleanUp)

describe.each(databaseKinds)("the operator's commands on the %s database", (database) => {
  const questionService = useQuestionService(() => ({ database }))

  function settings(cwd: string) {
    const { config, databaseUrl } = questionService.running
    const env: Record<string, string> = {
      PARLEY_SECRET: 'a secret for tests that is long enough',
      ...(databaseUrl === null
        ? { PARLEY_DATA_DIR: config.database.dataDir }
        : { DATABASE_URL: databaseUrl }),
    }
    return { env, cwd }
  }

  /** Creates an organization with an answered question. */
  async function makeUsed(
    cwd: string,
    name: string,
  ): Promise<{ made: Made; client: ApiClient; agentId: string }> {
    const made = await runJson<Made>(['org', 'create', '--name', name], settings(cwd))
    const client = questionService.running.client.as({
      organizationId: made.organizationId,
      apiKey: made.key,
    })
    const agentId = await makeTextAgent({ client }, questionService.model, { name: 'Concierge' })
    questionService.model.answer({ text: 'The pool opens at seven.' })
    const { status, text } = await client.call('POST', `/api/v1/Agent/${agentId}/question`, {
      body: { question: 'When does the pool open?' },
    })
    expect(status, text).toBe(200)
    return { made, client, agentId }
  }

  test('an export contains everything of an organization, and an interrupted one resumes [CLI-13]', async () => {
    const cwd = await newDirectory()
    const { made, client } = await makeUsed(cwd, 'Exported Hotel')
    const folder = join(cwd, 'export')
    const args = ['org', 'export', made.organizationId, folder]
    const { rows } = await runJson<{ rows: Record<string, number> }>(args, settings(cwd))
    expect(rows).toMatchObject({ conversation: 1, turn: 1, agent: expect.any(Number) })
    const messages = await readFile(join(folder, 'message.ndjson'), 'utf8')
    expect(
      messages
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).content)
        .sort(),
    ).toEqual(['The pool opens at seven.', 'When does the pool open?'])
    expect(await readFile(join(folder, 'connection.ndjson'), 'utf8')).not.toContain('sealed')
    expect((await stat(join(folder, 'message.ndjson'))).mode & 0o777).toBe(0o600)

    // Simulates an interruption after the first bytes of a table.
    const state = JSON.parse(await readFile(join(folder, 'export.json'), 'utf8'))
    state.tables.message = { rows: 0, bytes: 0, after: null, isOver: false }
    await writeFile(join(folder, 'export.json'), JSON.stringify(state))
    await writeFile(join(folder, 'message.ndjson'), '{"half a row')
    expect((await runJson<{ rows: Record<string, number> }>(args, settings(cwd))).rows).toEqual(rows)
    expect(await readFile(join(folder, 'message.ndjson'), 'utf8')).toBe(messages)

    const log = await client.call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Action=organization.export')
    expect(log.body.items.map(({ actor }) => actor.type)).toEqual(['operator', 'operator'])
    const other = await runJson<Made>(['org', 'create', '--name', 'Other'], settings(cwd))
    const refused = await runCommand(['org', 'export', other.organizationId, folder], settings(cwd))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another organization') })
  })

  test("a deletion stops the keys, ends the session, and is recorded in the first organization's log [CLI-14]", async () => {
    const cwd = await newDirectory()
    const { made, client, agentId } = await makeUsed(cwd, 'Deleted Hotel')
    const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
      body: {
        name: 'Voice',
        kind: 'openai-compatible',
        baseUrl: questionService.voice.baseUrl,
        apiKey: 'sk',
      },
    })
    const voiced = { connectionId: connection.body.id }
    expect((await client.call('PATCH', `/api/v1/Agent/${agentId}`, { body: voiced })).status).toBe(200)
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const ticket = await client.call<RealtimeSessionTicket>('POST', path, { body: {} })
    const { socket } = await openSocket(questionService.running.url, ticket.body.webSocketPath)
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await questionService.voice.accept()

    const args = ['org', 'delete', made.organizationId]
    const unconfirmed = await runCommand(args, settings(cwd))
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect((await client.call('GET', '/api/v1/Agent')).status).toBe(200)

    const { removed } = await runJson<{ removed: Record<string, number> }>([...args, '--yes'], settings(cwd))
    expect(removed).toMatchObject({ message: 2, conversation: 2, turn: 1, realtime_session: 1 })
    expect(await closed).toBeGreaterThanOrEqual(1000)
    expect((await client.call('GET', '/api/v1/Agent')).status).toBe(401)
    const listed = await runJson<Made[]>(['org', 'list'], settings(cwd))
    expect(listed.map(({ organizationId }) => organizationId)).not.toContain(made.organizationId)
    const actions = async () => {
      const { body } = await questionService.running.client.call<Page<AuditLogRecord>>(
        'GET',
        '/api/v1/AuditLog?Limit=5',
      )
      return body.items
        .filter(({ resourceId }) => resourceId === made.organizationId)
        .map(({ action, actor }) => `${action} by ${actor.type}`)
    }
    await expect
      .poll(actions, patiently)
      .toEqual(['organization.deleted by operator', 'organization.delete by operator'])
    expect((await runCommand([...args, '--yes'], settings(cwd))).code).toBe(1)
  })

  test('an interrupted deletion can be finished, and the first organization cannot be deleted [CLI-14]', async () => {
    const cwd = await newDirectory()
    const { made, client } = await makeUsed(cwd, 'Half Hotel')
    const { organizationData } = questionService.running.service.database.stores
    await organizationData.closeAccess(made.organizationId)
    await organizationData.removeSome(made.organizationId)
    expect((await client.call('GET', '/api/v1/Agent')).status).toBe(401)
    const { code } = await runCommand(['org', 'delete', made.organizationId, '--yes'], settings(cwd))
    expect(code).toBe(0)
    const first = await runCommand(
      ['org', 'delete', questionService.running.organizationId, '--yes'],
      settings(cwd),
    )
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('first organization') })
  })
})
