import type { AuditLogRecord, SignedIn } from '@parley/contract'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { triesOfAddress } from '#server/domain/people/check-credentials.js'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { useService } from '../../support/http/use-service.js'
import {
  addMember,
  addPerson,
  makeVisitor,
  password,
  signedIn,
  type Visitor,
} from '../../support/people/signed-in.js'
import { makeTestClock } from '../../support/test-clock.js'

const minutes = 60_000
const days = 24 * 60 * minutes
const clock = makeTestClock(new Date())
const service = useService({ clock, env: { LOG_LEVEL: 'debug' } })

async function newMember(fields: Parameters<typeof addPerson>[1] = {}) {
  const { running } = service
  const { stores } = running.service.database
  const person = await addPerson(stores, fields)
  const { organizationId } = running
  await addMember(stores, { organizationId, personId: person.id, role: 'admin' })
  return person
}

const visit = () => makeVisitor(service.running)
const signIn = (visitor: Visitor, body: object) => visitor.call('POST', '/api/v1/SignIn', { body })
const me = async (visitor: Visitor): Promise<SignedIn> =>
  JSON.parse((await visitor.call('GET', '/api/v1/Me')).text)

/** Returns the organization's audit records of a person, newest first. */
async function recordsOf(personId: string): Promise<readonly AuditLogRecord[]> {
  const records = await readRecords(service.client)
  return records.filter(({ actor }) => actor.id === personId)
}

/** Waits for records that are written after the response. */
const recorded = (personId: string, count: number) =>
  expect.poll(async () => (await recordsOf(personId)).length).toBe(count)

/** Writes failed attempts of strangers directly, to avoid the time of hashing. */
function countFailures(email: string, failures: number, lockedUntil: Date | null = null): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + 15 * minutes).toISOString()
  const { key, personId } = triesOfAddress(email)
  const tries = {
    key,
    personId,
    failures,
    wrongCodes: 0,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    expiresAt,
  }
  return service.running.service.database.transaction(async ({ signInAttempts }) => {
    await signInAttempts.lock(tries)
    await signInAttempts.update(tries)
  })
}

const lockOut = (email: string) => countFailures(email, 0, new Date(clock.now().getTime() + 15 * minutes))

describe('signing in', () => {
  test('sets a cookie that scripts and other sites cannot use, and returns the person [PPL-2]', async () => {
    const person = await newMember()
    const visitor = visit()
    const answer = await signIn(visitor, { email: person.email.toUpperCase(), password })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^parley=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const signed: SignedIn = JSON.parse(answer.text)
    expect(signed.person).toMatchObject({ id: person.id, email: person.email, hasTotp: false })
    expect(signed.organizations).toMatchObject([{ id: service.running.organizationId, role: 'admin' }])
    expect(await me(visitor)).toEqual(signed)
    expect((await visitor.call('GET', '/api/v1/Agent')).status).toBe(200)
    expect(await recordsOf(person.id)).toMatchObject([
      {
        action: 'person.sign_in',
        outcome: 'success',
        actor: { type: 'person', id: person.id, name: 'Kim' },
        ipAddress: '127.0.0.1',
        details: { sessionId: signed.session.id },
      },
    ])
    // The token appears only in the response, and the password nowhere.
    const token = visitor.cookie.replace('parley=', '')
    const log = service.running.log.join('\n')
    for (const secret of [token, password]) expect(log).not.toContain(secret)
  })

  test('gives the same error after a similar time for every kind of failure [PPL-3]', async () => {
    const person = await newMember()
    const locked = await newMember()
    await lockOut(locked.email)
    const tries = {
      known: { email: person.email, password: 'not the right one' },
      unknown: { email: 'nobody@example.com', password },
      locked: { email: locked.email, password },
      'a password too long to be one': { email: person.email, password: 'é'.repeat(500) },
    }
    await signIn(visit(), tries.unknown)
    const details = new Set<string>()
    const milliseconds: number[] = []
    for (const body of Object.values(tries)) {
      const begin = performance.now()
      details.add(expectProblem(await signIn(visit(), body), 'SignInFailed').detail)
      milliseconds.push(performance.now() - begin)
    }
    expect(details.size).toBe(1)
    // All of them hash a password. Without that, a response takes a twentieth of the time.
    expect(Math.max(...milliseconds) / Math.min(...milliseconds)).toBeLessThan(8)
    await recorded(person.id, 2)
    expect(await recordsOf(person.id)).toMatchObject([
      { action: 'person.sign_in', outcome: 'refused', details: { reason: 'password' } },
      { action: 'person.sign_in', outcome: 'refused', details: { reason: 'password' } },
    ])
    // Strangers cannot fill the log, because attempts during a lockout are not recorded.
    expect(await recordsOf(locked.id)).toEqual([])
  })

  test('locks the account for 15 minutes after ten failed attempts, even concurrent ones [PPL-4]', async () => {
    const { id, email } = await newMember()
    await countFailures(email, 8)
    const wrong = { email, password: 'not the right one' }
    const tries = [wrong, wrong, wrong, wrong].map((body) => signIn(visit(), body))
    for (const answer of await Promise.all(tries)) expectProblem(answer, 'SignInFailed')
    expectProblem(await signIn(visit(), { email, password }), 'SignInFailed')
    await recorded(id, 2)
    const details = (await recordsOf(id)).map((record) => record.details)
    expect(details).toHaveLength(2)
    expect(details).toEqual(
      expect.arrayContaining([
        { reason: 'password', lockedUntil: expect.any(String) },
        { reason: 'password' },
      ]),
    )
    clock.advance(15 * minutes)
    expect((await signIn(visit(), { email, password })).status).toBe(200)
    // The count starts again.
    await countFailures(email, 9)
    expect((await signIn(visit(), { email, password })).status).toBe(200)
  })

  test('counts failed attempts per address or IPv6 /64 and refunds successful ones [PPL-4]', async () => {
    const { email } = await newMember()
    const { attemptCaller } = await import('#server/edge/http/request/rate-limit.js')
    expect(attemptCaller('2001:db8:1:2:3::4')).toBe(attemptCaller('2001:db8:1:2:ffff:1:2:3'))
    expect(attemptCaller('2001:db8:1:3::4')).not.toBe(attemptCaller('2001:db8:1:2::4'))
    expect(attemptCaller('192.0.2.1')).not.toBe(attemptCaller('192.0.2.2'))
    const left = async (body: object) =>
      Number((await signIn(visit(), body)).headers.get('ratelimit-remaining'))
    const before = await left({ email, password })
    expect(await left({ email, password })).toBe(before)
    await left({ email: 'nobody@example.com', password })
    expect(await left({ email, password })).toBe(before - 1)
  })
})

test('the sign-in through an issuer does not exist if none is configured [PPL-18]', async () => {
  const ways = await visit().call('GET', '/api/v1/SignIn')
  expect(JSON.parse(ways.text)).toEqual({ password: true, oidc: null, isSignedIn: false })
  expectProblem(await visit().call('POST', '/api/v1/SignIn/oidc', { body: {} }), 'NotFound')
  const back = await visit().call('GET', '/api/v1/SignIn/oidc/callback?code=a&state=b')
  expect(back.headers.get('location')).toBe(`${service.running.url}/#/sign-in?error=NotFound`)
})

describe('a session', () => {
  test('ends after 7 days without a call and after 30 days in any case [PPL-5]', async () => {
    const { email } = await newMember()
    const [idle, busy] = [visit(), visit()]
    for (const visitor of [idle, busy]) await signIn(visitor, { email, password })
    for (let week = 0; week < 4; week += 1) {
      clock.advance(7 * days - minutes)
      expect((await busy.call('GET', '/api/v1/Me')).status).toBe(200)
      // The service records the use in parallel with the response.
      const expected = clock.now().toISOString()
      await expect.poll(async () => (await me(busy)).session.lastUsedAt).toBe(expected)
    }
    expectProblem(await idle.call('GET', '/api/v1/Me'), 'Unauthenticated')
    clock.advance(2 * days + 5 * minutes)
    expectProblem(await busy.call('GET', '/api/v1/Me'), 'Unauthenticated')
  })

  test('can be listed and ended by its owner, and a copied cookie is then invalid [PPL-6]', async () => {
    const { id, email } = await newMember()
    const [here, there, stranger] = [visit(), visit(), await signedIn(service.running, 'owner', clock)]
    await signIn(here, { email, password })
    await signIn(there, { email, password })
    const sessions = JSON.parse((await here.call('GET', '/api/v1/Me/session')).text)
    expect(sessions).toMatchObject({ totalCount: 2, items: [{ isCurrent: false }, { isCurrent: true }] })
    const other = `/api/v1/Me/session/${sessions.items[0].id}`
    expectProblem(await stranger.call('DELETE', other), 'NotFound')
    expect((await here.call('DELETE', other)).status).toBe(204)
    expectProblem(await there.call('GET', '/api/v1/Me'), 'Unauthenticated')

    const stolen = Object.assign(visit(), { cookie: here.cookie })
    const left = await here.call('POST', '/api/v1/SignOut')
    expect(left.status).toBe(204)
    expect(left.headers.get('set-cookie')).toMatch(/^parley=; Max-Age=0; /)
    for (const [method, path] of [
      ['GET', '/api/v1/Me'],
      ['GET', '/api/v1/Agent'],
      ['POST', '/api/v1/SignOut'],
    ] as const)
      expectProblem(await stolen.call(method, path), 'Unauthenticated')
    expect((await recordsOf(id)).map(({ action }) => action).slice(0, 2)).toEqual([
      'person.sign_out',
      'person.session_end',
    ])
  })

  test('ends when another session changes the password, which requires the old one and follows the rules [PPL-7]', async () => {
    const { id, email } = await newMember()
    const [here, stolen] = [visit(), visit()]
    await signIn(here, { email, password })
    await signIn(stolen, { email, password })
    const change = (body: object) => here.call('POST', '/api/v1/Me/password', { body })
    const refusals = {
      short: 'ninechars',
      'the email address': email,
      long: 'é'.repeat(101),
      'a common word': 'password12',
      'a common word in other signs': 'P@ssw0rd2026!',
      'keys in a row': '1q2w3e4r5t',
      'digits in a row': '1234567890',
      'one character': 'aaaaaaaaaa',
    }
    for (const wanted of Object.values(refusals))
      expect(
        expectProblem(await change({ current: password, new: wanted }), 'InvalidRequest').errors,
      ).toMatchObject([{ path: 'new' }])
    expectProblem(await change({ current: 'wrong', new: 'another long sentence' }), 'SignInFailed')
    expect((await stolen.call('GET', '/api/v1/Me')).status).toBe(200)
    expect((await change({ current: password, new: 'another long sentence' })).status).toBe(204)
    expect((await here.call('GET', '/api/v1/Me')).status).toBe(200)
    expectProblem(await stolen.call('GET', '/api/v1/Me'), 'Unauthenticated')
    expectProblem(await signIn(visit(), { email, password }), 'SignInFailed')
    expect((await signIn(visit(), { email, password: 'another long sentence' })).status).toBe(200)
    const changed = (await recordsOf(id)).find(({ action }) => action === 'person.update')
    expect(changed?.details).toEqual({ changed: ['password'], endedSessions: 1 })
  })

  test("can change the person's own name for all members to see [PPL-8]", async () => {
    const person = await signedIn(service.running, 'viewer', clock)
    const answer = await person.call('PATCH', '/api/v1/Me', { body: { name: 'Kim Berg' } })
    expect(JSON.parse(answer.text)).toMatchObject({ person: { name: 'Kim Berg' } })
    const { body } = await service.client.call<{ items: object[] }>('GET', '/api/v1/Member')
    expect(body.items).toContainEqual(expect.objectContaining({ id: person.memberId, name: 'Kim Berg' }))
    expect(await recordsOf(person.person.id)).toMatchObject([{ details: { changed: ['name'] } }])
  })
})

describe('a second factor', () => {
  test('is active once it is confirmed, and each code and recovery code works once [PPL-9]', async () => {
    const { id, email } = await newMember()
    const [here, other] = [visit(), visit()]
    for (const visitor of [here, other]) await signIn(visitor, { email, password })
    const begin = (given: string) => here.call('POST', '/api/v1/Me/totp', { body: { password: given } })
    expectProblem(await begin('not the right one'), 'SignInFailed')
    const enrollment = JSON.parse((await begin(password)).text)
    const totp = new TOTP({ secret: Secret.fromBase32(enrollment.secret) })
    expect(enrollment.uri).toMatch(/^otpauth:\/\/totp\/Parley:.+[?&]secret=/)
    const code = () => totp.generate({ timestamp: clock.now().getTime() })
    expect((await signIn(visit(), { email, password })).status).toBe(200)

    const confirm = (given: string) => here.call('PUT', '/api/v1/Me/totp', { body: { code: given } })
    const wrong = code().replace(/^./, (digit) => String((Number(digit) + 1) % 10))
    expectProblem(await confirm(wrong), 'SecondFactorRequired')
    const confirmed = await confirm(code())
    const { recoveryCodes }: { recoveryCodes: string[] } = JSON.parse(confirmed.text)
    expect(new Set(recoveryCodes).size).toBe(10)
    expectProblem(await other.call('GET', '/api/v1/Me'), 'Unauthenticated')
    expectProblem(await begin(password), 'Conflict')
    expect((await me(here)).person).toMatchObject({ hasTotp: true, recoveryCodesLeft: 10 })

    const withCode = (given?: string) => signIn(visit(), { email, password, ...(given && { code: given }) })
    expectProblem(await withCode(), 'SecondFactorRequired')
    // The code of the confirmation has been used already.
    expectProblem(await withCode(code()), 'SecondFactorRequired')
    clock.advance(minutes)
    expectProblem(
      await signIn(visit(), { email, password: 'not the right one', code: code() }),
      'SignInFailed',
    )
    const both = await Promise.all([withCode(code()), withCode(code())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])

    const [recovery = ''] = recoveryCodes
    expect((await withCode(recovery.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expectProblem(await withCode(recovery), 'SecondFactorRequired')
    expect((await me(here)).person).toMatchObject({ recoveryCodesLeft: 9 })

    const remove = (given: string) => here.call('DELETE', '/api/v1/Me/totp', { body: { password: given } })
    expectProblem(await remove('not the right one'), 'SignInFailed')
    expect((await remove(password)).status).toBe(204)
    expect((await withCode()).status).toBe(200)
    const actions = (await recordsOf(id)).map(({ action }) => action)
    expect(actions).toEqual(
      expect.arrayContaining(['person.totp_begin', 'person.totp_on', 'person.totp_off']),
    )
    const row = JSON.stringify(await service.running.service.database.stores.people.find(id))
    for (const secret of [enrollment.secret, ...recoveryCodes]) expect(row).not.toContain(secret)
  })
})

test('the cookie is bound to the host with https [PPL-10]', async () => {
  const { startService } = await import('../../support/start-service.js')
  const secure = await startService({ env: { PARLEY_PUBLIC_URL: 'https://parley.example.com' } })
  const { stores } = secure.service.database
  const { email } = await addPerson(stores)
  const visitor = makeVisitor(secure)
  const headers = { origin: 'https://parley.example.com' }
  const answer = await visitor.call('POST', '/api/v1/SignIn', { body: { email, password }, headers })
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^__Host-parley=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect((await visitor.call('GET', '/api/v1/Me')).status).toBe(200)
  const plain = Object.assign(makeVisitor(secure), { cookie: visitor.cookie.replace('__Host-', '') })
  expectProblem(await plain.call('GET', '/api/v1/Me'), 'Unauthenticated')
  await secure.close()
})
