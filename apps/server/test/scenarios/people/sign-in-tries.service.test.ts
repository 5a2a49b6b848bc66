import type { SignedIn } from '@parley/contract'
import { type RecordedStatement, recordStatements, type StatementRecorder } from '@parley/statement-recorder'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '#server/domain/new-id.js'
import { triesOfAddress } from '#server/domain/people/check-credentials.js'
import { shortenSessions } from '#server/domain/people/person-sessions.js'
import type { PersonRecord } from '#server/ports/people-stores.js'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import {
  addMember,
  addPerson,
  makeVisitor,
  password,
  signedIn,
  type Visitor,
} from '../../support/people/signed-in.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const minutes = 60_000
const days = 24 * 60 * minutes
const clock = makeTestClock(new Date())
let postgres: PostgresDatabase
let recorder: StatementRecorder
let running: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  recorder = await recordStatements(postgres.url)
  running = await startService({ env: { DATABASE_URL: recorder.url }, clock })
})

afterAll(async () => {
  await running.close()
  await recorder.close()
  await postgres.drop()
})

const stores = () => running.service.database.stores
const visit = () => makeVisitor(running)
const wrongPassword = 'not the right one'
const signIn = (visitor: Visitor, body: object) => visitor.call('POST', '/api/v1/SignIn', { body })
const me = async (visitor: Visitor): Promise<SignedIn> =>
  JSON.parse((await visitor.call('GET', '/api/v1/Me')).text)
const inMinutes = (count: number) => new Date(clock.now().getTime() + count * minutes).toISOString()

async function newMember(): Promise<PersonRecord> {
  const person = await addPerson(stores())
  await addMember(stores(), { organizationId: running.organizationId, personId: person.id, role: 'owner' })
  return person
}

/** Writes the counter of an address directly, to avoid the time of hashing. */
function write(email: string, fields: { failures?: number; wrongCodes?: number; lockedUntil?: string }) {
  const none = { failures: 0, wrongCodes: 0, lockedUntil: null, expiresAt: inMinutes(15) }
  const tries = { ...triesOfAddress(email), ...none, ...fields }
  return running.service.database.transaction(async ({ signInAttempts }) => {
    await signInAttempts.lock(tries)
    await signInAttempts.update(tries)
  })
}

const lockOut = (email: string) => write(email, { lockedUntil: inMinutes(15) })

/** Signs in and keeps the cookie that identifies the browser. */
async function knownBrowser(email: string): Promise<Visitor> {
  const visitor = visit()
  const answer = await signIn(visitor, { email, password })
  expect(answer.status).toBe(200)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  visitor.cookie = cookies.find((cookie) => cookie.startsWith('parley-browser=')) ?? ''
  return visitor
}

/** Returns a new visitor with the same browser cookie. */
const again = ({ cookie }: Visitor): Visitor => Object.assign(visit(), { cookie })

/** Enables the second factor. Returns functions for its right and wrong codes. */
async function withTotp({ id, email }: PersonRecord): Promise<{ code: () => string; wrong: () => string }> {
  const visitor = visit()
  await signIn(visitor, { email, password })
  const enrollment = JSON.parse((await visitor.call('POST', '/api/v1/Me/totp', { body: { password } })).text)
  const totp = new TOTP({ secret: Secret.fromBase32(enrollment.secret) })
  const code = () => totp.generate({ timestamp: clock.now().getTime() })
  expect((await visitor.call('PUT', '/api/v1/Me/totp', { body: { code: code() } })).status).toBe(200)
  expect(await stores().people.find(id)).toMatchObject({ sealedTotp: expect.any(String) })
  clock.advance(2 * minutes)
  return { code, wrong: () => code().replace(/^./, (digit) => String((Number(digit) + 1) % 10)) }
}

describe('a rejected sign-in', () => {
  /** Matches statements about people and excludes background work. */
  const isOfPeople = ({ text }: RecordedStatement) =>
    /"(?:person|sign_in_tries|member)"|audit_record/.test(text)
  const isRecord = ({ text }: RecordedStatement) => /"member"|"?audit_record/.test(text)
  const ofSignIn = (taken: readonly RecordedStatement[]) => taken.filter(isOfPeople).map(({ text }) => text)

  test('sends the same statements for unknown addresses, wrong passwords and locked counters [PPL-3]', async () => {
    const [person, locked] = [await newMember(), await newMember()]
    await lockOut(locked.email)
    const tries = {
      unknown: { email: 'nobody@example.com', password },
      wrong: { email: person.email, password: wrongPassword },
      locked: { email: locked.email, password },
      lockedAndWrong: { email: locked.email, password: wrongPassword },
    }
    // The first sign-in creates the hash that unknown addresses are compared with.
    await signIn(visit(), tries.unknown)
    const statements: Record<string, readonly string[]> = {}
    for (const [name, body] of Object.entries(tries)) {
      recorder.take()
      expectProblem(await signIn(visit(), body), 'SignInFailed')
      if (name === 'wrong') await expect.poll(() => recordsOf(person)).toHaveLength(1)
      statements[name] = ofSignIn(recorder.take().filter((each) => !isRecord(each)))
    }
    expect(statements.unknown?.length).toBeGreaterThan(3)
    for (const sent of Object.values(statements)) expect(sent).toEqual(statements.unknown)
  })

  test('does not wait for its audit record [PPL-3]', async () => {
    const person = await newMember()
    await withPostgresClient(postgres.url, async (client) => {
      await client.query('begin')
      await client.query('lock table audit_record in exclusive mode')
      expectProblem(await signIn(visit(), { email: person.email, password: wrongPassword }), 'SignInFailed')
      await client.query('rollback')
    })
    await expect
      .poll(() => recordsOf(person))
      .toMatchObject([{ outcome: 'refused', details: { reason: 'password' } }])
  })

  const recordsOf = async ({ id }: PersonRecord) =>
    (await readRecords(running.client)).filter(({ actor }) => actor.id === id)
})

describe('failed attempts of strangers', () => {
  test('failed attempts of strangers do not stop a signed-in person from changing password and second factor [PPL-26]', async () => {
    const owner = await signedIn(running, 'owner', clock)
    await lockOut(owner.person.email)
    expectProblem(await signIn(visit(), { email: owner.person.email, password }), 'SignInFailed')
    expect((await owner.call('POST', '/api/v1/Me/totp', { body: { password } })).status).toBe(200)
    const body = { current: password, new: 'another long sentence' }
    expect((await owner.call('POST', '/api/v1/Me/password', { body })).status).toBe(204)
  })

  test('failed attempts of strangers are counted apart from those of a session, which locks only itself [PPL-26]', async () => {
    const owner = await signedIn(running, 'owner', clock)
    const begin = (given: string) => owner.call('POST', '/api/v1/Me/totp', { body: { password: given } })
    for (let wrong = 0; wrong < 10; wrong += 1) expectProblem(await begin(wrongPassword), 'SignInFailed')
    expectProblem(await begin(password), 'SignInFailed')
    const other = visit()
    expect((await signIn(other, { email: owner.person.email, password })).status).toBe(200)
    expect((await other.call('POST', '/api/v1/Me/totp', { body: { password } })).status).toBe(200)
  })

  test('failed attempts of strangers do not lock out a browser in which the person has signed in [PPL-26]', async () => {
    const { email } = await newMember()
    const browser = await knownBrowser(email)
    await lockOut(email)
    expectProblem(await signIn(visit(), { email, password }), 'SignInFailed')
    expectProblem(await signIn(again(browser), { email, password: wrongPassword }), 'SignInFailed')
    expect((await signIn(again(browser), { email, password })).status).toBe(200)
    // A sign-in in this browser does not reset the strangers' counter.
    expectProblem(await signIn(visit(), { email, password }), 'SignInFailed')

    // The browser has ten attempts of its own.
    for (let wrong = 0; wrong < 10; wrong += 1)
      expectProblem(await signIn(again(browser), { email, password: wrongPassword }), 'SignInFailed')
    expectProblem(await signIn(again(browser), { email, password }), 'SignInFailed')
  })

  test('failed attempts count for a browser that knew another password or belongs to another person [PPL-26]', async () => {
    const [person, other] = [await newMember(), await newMember()]
    const { email } = person
    const [before, theirs] = [await knownBrowser(email), await knownBrowser(other.email)]
    const visitor = visit()
    await signIn(visitor, { email, password })
    const changed = 'another long sentence'
    const body = { current: password, new: changed }
    expect((await visitor.call('POST', '/api/v1/Me/password', { body })).status).toBe(204)
    await lockOut(email)
    for (const browser of [before, theirs, Object.assign(visit(), { cookie: 'parley-browser=v1.forged' })])
      expectProblem(await signIn(again(browser), { email, password: changed }), 'SignInFailed')
  })
})

describe('wrong codes with the right password', () => {
  test('wrong codes double the lockout after every ten, and the next session reports them [PPL-27]', async () => {
    const person = await newMember()
    const { email } = person
    const { code, wrong } = await withTotp(person)
    const since = clock.now().toISOString()
    const lockOutByWrongCodes = async () => {
      for (let tried = 0; tried < 10; tried += 1)
        expectProblem(await signIn(visit(), { email, password, code: wrong() }), 'SecondFactorRequired')
      expectProblem(await signIn(visit(), { email, password, code: code() }), 'SignInFailed')
    }
    await lockOutByWrongCodes()
    clock.advance(15 * minutes)
    await lockOutByWrongCodes()
    clock.advance(29 * minutes)
    expectProblem(await signIn(visit(), { email, password, code: code() }), 'SignInFailed')
    clock.advance(minutes)
    const visitor = visit()
    expect((await signIn(visitor, { email, password, code: code() })).status).toBe(200)
    expect((await me(visitor)).wrongCodes).toEqual({ count: 20, since })

    // The sign-in has reset the count.
    clock.advance(2 * minutes)
    await lockOutByWrongCodes()
    clock.advance(15 * minutes)
    const next = visit()
    expect((await signIn(next, { email, password, code: code() })).status).toBe(200)
    expect((await me(next)).wrongCodes).toMatchObject({ count: 10 })
    clock.advance(2 * minutes)
    const last = visit()
    expect((await signIn(last, { email, password, code: code() })).status).toBe(200)
    expect((await me(last)).wrongCodes).toBeNull()
  })

  test('wrong codes lock for a day at most [PPL-27]', async () => {
    const person = await newMember()
    const { email } = person
    const { code, wrong } = await withTotp(person)
    await write(email, { wrongCodes: 1999 })
    expectProblem(await signIn(visit(), { email, password, code: wrong() }), 'SecondFactorRequired')
    clock.advance(days - minutes)
    expectProblem(await signIn(visit(), { email, password, code: code() }), 'SignInFailed')
    clock.advance(minutes)
    expect((await signIn(visit(), { email, password, code: code() })).status).toBe(200)
  })
})

describe('a clock that was ahead', () => {
  test('a lockout lasts at most its normal time from now [PPL-28]', async () => {
    const { email } = await newMember()
    await write(email, { lockedUntil: inMinutes(400 * 24 * 60) })
    expectProblem(await signIn(visit(), { email, password }), 'SignInFailed')
    clock.advance(15 * minutes)
    expect((await signIn(visit(), { email, password })).status).toBe(200)
  })

  test('a used session lasts at most its idle time and its total time from now [PPL-28]', async () => {
    const { email } = await newMember()
    const visitor = visit()
    clock.advance(400 * days)
    await signIn(visitor, { email, password })
    clock.advance(-400 * days)
    const { session } = await me(visitor)
    await expect
      .poll(() => stores().people.findSession(hashToken(visitor.cookie.replace('parley=', '')), null))
      .toMatchObject({
        session: {
          id: session.id,
          lastUsedAt: clock.now().toISOString(),
          expiresAt: inMinutes(7 * 24 * 60),
          endsAt: inMinutes(30 * 24 * 60),
        },
      })
    clock.advance(7 * days)
    expectProblem(await visitor.call('GET', '/api/v1/Me'), 'Unauthenticated')
  })

  test('an unused session lasts at most its idle time from now [PPL-28]', async () => {
    const { email } = await newMember()
    const visitor = visit()
    clock.advance(400 * days)
    await signIn(visitor, { email, password })
    clock.advance(-400 * days)
    const settings = { idleDays: 7, days: 30 }
    await shortenSessions({ clock, settings }, running.service.database)
    clock.advance(7 * days)
    expectProblem(await visitor.call('GET', '/api/v1/Me'), 'Unauthenticated')
  })

  test('current codes are accepted [PPL-28]', async () => {
    const person = await newMember()
    const { email } = person
    const { code } = await withTotp(person)
    clock.advance(400 * days)
    expect((await signIn(visit(), { email, password, code: code() })).status).toBe(200)
    clock.advance(-400 * days)
    const used = code()
    expect((await signIn(visit(), { email, password, code: used })).status).toBe(200)
    expectProblem(await signIn(visit(), { email, password, code: used }), 'SecondFactorRequired')
  })
})
