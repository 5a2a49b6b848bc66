import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, addPerson, makeVisitor, password, signedIn } from '../../support/people/signed-in.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let database: PostgresDatabase
let running: RunningService

beforeAll(async () => {
  database = await migratedDatabase()
  running = await startService({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' } })
})

afterAll(async () => {
  await running.close()
  await database.drop()
})

const query = (text: string) =>
  withPostgresClient(database.url, async (client) => (await client.query(text)).rows as unknown[])

const state = () =>
  query(`select (select json_agg(person order by id) from person)::text as people,
                (select json_agg(json_build_array(id, expires_at) order by id) from person_session)::text as sessions,
                (select json_agg(member order by id) from member)::text as members,
                (select json_agg(invitation order by id) from invitation)::text as invitations`)

test('an action of a person and its record are stored together or not at all [PPL-17]', async () => {
  const { stores } = running.service.database
  const person = await addPerson(stores)
  const { organizationId } = running
  await addMember(stores, { organizationId, personId: person.id, role: 'owner' })
  const owner = await signedIn(running, 'owner')
  const made = await owner.call('POST', '/api/v1/Invitation', {
    body: { email: 'new@example.com', role: 'viewer' },
  })
  const token = String(JSON.parse(made.text).link).split('token=')[1]
  const visitor = makeVisitor(running)
  const account = { token, name: 'New', password: 'a new long sentence' }
  const changes = [
    () => visitor.call('POST', '/api/v1/SignIn', { body: { email: person.email, password } }),
    () => makeVisitor(running).call('POST', '/api/v1/Invitation/accept', { body: account }),
    () => owner.call('PATCH', '/api/v1/Me', { body: { name: 'Another' } }),
    () => owner.call('POST', '/api/v1/Me/password', { body: { current: password, new: 'another long one' } }),
    () => owner.call('POST', '/api/v1/Me/totp', { body: { password: 'another long one' } }),
    () => owner.call('POST', '/api/v1/SignOut'),
  ]
  for (const change of changes) {
    const before = await state()
    await query(`create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
      create trigger refuse_audit before insert on audit_record execute function refuse_audit()`)
    const { cookie } = owner
    expect((await change()).status).toBe(500)
    owner.cookie = cookie
    expect(await state()).toEqual(before)
    await query('drop function refuse_audit cascade')
    expect((await change()).status).toBeLessThan(300)
    expect(await state()).not.toEqual(before)
  }
})
