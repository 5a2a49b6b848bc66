import type { SignedIn } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operatorCaller } from '#server/domain/operator/operator-act.js'
import { addOwnerLink } from '#server/domain/people/members.js'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { type IssuerBrowser, makeIssuerBrowser } from '../../support/people/issuer-browser.js'
import { issuerRefusals } from '../../support/people/issuer-refusals.js'
import { addMember, addPerson, password } from '../../support/people/signed-in.js'
import {
  clientId,
  clientSecret,
  type IssuerAccount,
  startTestIssuer,
  type TestIssuer,
} from '../../support/people/test-issuer.js'
import { joinInstance } from '../../support/questions/instances.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const publicUrl = 'https://parley.example'
const clock = makeTestClock(new Date())
let issuer: TestIssuer
let postgres: PostgresDatabase
let one: RunningService
let other: RunningService
let browser: IssuerBrowser
let count = 0

beforeAll(async () => {
  issuer = await startTestIssuer()
  postgres = await migratedDatabase()
  const env = {
    DATABASE_URL: postgres.url,
    PARLEY_PUBLIC_URL: publicUrl,
    PARLEY_OIDC_ISSUER: issuer.url,
    PARLEY_OIDC_CLIENT_ID: clientId,
    PARLEY_OIDC_CLIENT_SECRET: clientSecret,
    PARLEY_OIDC_NAME: 'Hôtel',
  }
  one = await startService({ env, clock })
  other = await joinInstance(one, postgres.url, { env, clock })
  return async () => {
    await Promise.all([one.close(), other.close()])
    await postgres.drop()
  }
})
afterAll(() => issuer.close())

beforeEach(() => {
  browser = makeIssuerBrowser(publicUrl)
  issuer.faults = {}
})

const stores = () => one.service.database.stores
const newAccount = (fields: Partial<IssuerAccount> = {}): IssuerAccount => {
  count += 1
  return { sub: `sub-${count}`, email: `p${count}@example.com`, email_verified: true, name: 'Kim', ...fields }
}

/** Creates a member whose address the issuer knows. */
async function newMember(account = newAccount()) {
  issuer.account = account
  const person = await addPerson(stores(), { email: account.email ?? '' })
  await addMember(stores(), { organizationId: one.organizationId, personId: person.id, role: 'builder' })
  return person
}

async function invitedToken(body: { email: string; role: string }): Promise<string> {
  const made = await one.client.call<{ link: string }>('POST', '/api/v1/Invitation', { body })
  return made.body.link.split('token=')[1] ?? ''
}

/** Completes the sign-in in one browser. Returns the final path. */
async function completeSignIn(start: object = {}): Promise<string> {
  return browser.finishSignIn(one.url, await browser.visit(await browser.begin(one.url, start)))
}

const me = async (): Promise<SignedIn> => JSON.parse((await browser.call(one.url, 'GET', '/api/v1/Me')).text)
const recordsOf = async (personId: string) =>
  (await readRecords(one.client)).filter(({ actor }) => actor.id === personId)
const isSignedIn = () => browser.cookies.has('__Host-parley')

describe('the issuer', () => {
  test('is contacted only when needed, and an outage is reported while other sign-ins work [PPL-18]', async () => {
    expect(issuer.asked).toEqual([])
    const { email } = await newMember()
    const away = (response: { destroy(): void }) => response.destroy()
    issuer.faults = { at: { '/.well-known/openid-configuration': away } }
    const ways = await browser.call(one.url, 'GET', '/api/v1/SignIn')
    expect(JSON.parse(ways.text)).toEqual({ password: true, oidc: { name: 'Hôtel' }, isSignedIn: false })
    const refused = await browser.call(one.url, 'POST', '/api/v1/SignIn/oidc', {})
    expectProblem(refused, 'OidcUnavailable')
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(browser.cookies.size).toBe(0)
    expect(issuer.asked).toHaveLength(2)
    expect((await browser.call(one.url, 'POST', '/api/v1/SignIn', { email, password })).status).toBe(200)
    issuer.faults = {}
    await browser.begin(one.url)
    await browser.begin(one.url)
    expect(issuer.asked).toHaveLength(3)
  })

  test('signs in verified accounts on any instance, and later identifies them by account, not address [PPL-19]', async () => {
    const person = await newMember()
    const address = await browser.begin(one.url, { returnTo: '/#/agents?of=me' })
    const asked = new URL(address).searchParams
    expect(asked.get('redirect_uri')).toBe(`${publicUrl}/api/v1/SignIn/oidc/callback`)
    expect(asked.get('scope')).toBe('openid email profile')
    expect([...browser.cookies.keys()]).toEqual(['__Host-parley-oidc'])
    const back = await browser.visit(address)
    expect(await browser.finishSignIn(other.url, back)).toBe('/#/agents?of=me')
    expect([...browser.cookies.keys()]).toEqual(['__Host-parley'])
    const { session } = await me()
    const account = { issuer: issuer.url, subject: issuer.account.sub }
    expect(await recordsOf(person.id)).toMatchObject([
      { action: 'person.link', outcome: 'success', details: account },
      { action: 'person.prove', outcome: 'success', details: account },
      { action: 'person.sign_in', details: { sessionId: session.id, issuer: issuer.url } },
    ])

    browser.cookies.clear()
    issuer.account = { ...issuer.account, email: 'renamed@example.com', email_verified: false }
    expect(await completeSignIn()).toBe('/')
    expect((await me()).person).toMatchObject({ id: person.id, email: person.email, hasPassword: false })

    // The issuer gave the address to another account. This opens nothing here.
    browser.cookies.clear()
    issuer.account = { ...newAccount(), email: person.email }
    expect(await completeSignIn()).toBe('/#/sign-in?error=OidcAddressMismatch')
    expect(isSignedIn()).toBe(false)
    const [refused] = await recordsOf(person.id)
    expect(refused).toMatchObject({ outcome: 'refused', details: { reason: 'OidcAddressMismatch' } })
    const log = [...one.log, ...other.log].join('\n')
    for (const secret of [
      clientSecret,
      asked.get('state') ?? '',
      new URL(back, publicUrl).searchParams.get('code'),
    ])
      expect(log).not.toContain(secret)
  })

  test('may rotate its keys and report the address in another place [PPL-19]', async () => {
    const person = await newMember()
    expect(await completeSignIn()).toBe('/')
    issuer.rotateKey()
    issuer.faults = { usesUserInfo: true }
    expect(await completeSignIn()).toBe('/')
    expect((await me()).person.id).toBe(person.id)
    const second = await newMember(newAccount({ email_verified: 'true' }))
    expect(await completeSignIn()).toBe('/')
    expect((await me()).person.id).toBe(second.id)
  })
})

/** Returns the number of stored people, links and sessions. A rejected sign-in must not change them. */
const stored = () =>
  withPostgresClient(postgres.url, async (client) => {
    const tables = ['person', 'person_identity', 'person_session', 'member', 'used_oidc_state']
    const counts = tables.map((table) => `(select count(*) from ${table})`)
    return (await client.query<{ counts: string }>(`select concat_ws(' ', ${counts}) as counts`)).rows
  })

test('the link, the session and their records are stored together or not at all [PPL-17]', async () => {
  await newMember()
  const before = await stored()
  const query = (text: string) => withPostgresClient(postgres.url, (client) => client.query(text))
  await query(`create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
    create trigger refuse_audit before insert on audit_record execute function refuse_audit()`)
  expect(await completeSignIn()).toBe('/#/sign-in?error=Internal')
  expect(await stored()).toEqual(before)
  await query('drop function refuse_audit cascade')
  expect(await completeSignIn()).toBe('/')
})

describe('a sign-in through the issuer', () => {
  test.each(Object.entries(issuerRefusals))(
    'is rejected with %s [PPL-20]',
    async (_title, { code, faults = {}, account, isRecorded }) => {
      const known = newAccount()
      const person = await newMember(known)
      issuer.account = { ...known, ...account }
      issuer.faults = faults
      const before = await stored()
      expect(await completeSignIn()).toBe(`/#/sign-in?error=${code}`)
      expect(browser.cookies.size).toBe(0)
      expect(await recordsOf(person.id)).toHaveLength(isRecorded ? 1 : 0)
      if (!isRecorded) expect(await stored()).toEqual(before)
      expect(await stores().people.findByIdentity({ issuer: issuer.url, subject: known.sub })).toBeNull()
    },
  )

  test('is rejected in another browser, twice, too late, or with another state [PPL-20]', async () => {
    await newMember()
    issuer.faults = { acceptsAnyCode: true }
    const invalid = '/#/sign-in?error=OidcAttemptInvalid'
    const name = '__Host-parley-oidc'
    const back = await browser.visit(await browser.begin(one.url))
    const sealed = browser.cookies.get(name) ?? ''
    const changed = back.replace(/state=[^&]+/, `state=${'a'.repeat(43)}`)
    const asked = issuer.asked.length
    const stranger = makeIssuerBrowser(publicUrl)
    expect(await stranger.finishSignIn(one.url, back)).toBe(invalid)
    await stranger.begin(one.url)
    expect(await stranger.finishSignIn(one.url, back)).toBe(invalid)
    for (const [cookie, path] of [
      [sealed, changed],
      [sealed, back.replace(/state=[^&]+&?/, '')],
      [sealed, '/api/v1/SignIn/oidc/callback'],
      [`${sealed}a`, back],
      ['v1.AAAA', back],
      ['', back],
    ] as const) {
      browser.cookies.set(name, cookie)
      expect(await browser.finishSignIn(one.url, path)).toBe(invalid)
      expect(browser.cookies.size).toBe(0)
    }
    // The service did not contact the issuer.
    expect(issuer.asked.length).toBe(asked)

    const returnToService = (instance: RunningService) => {
      const copy = makeIssuerBrowser(publicUrl)
      copy.cookies.set(name, sealed)
      return copy.finishSignIn(instance.url, back)
    }
    const both = await Promise.all([returnToService(one), returnToService(other)])
    expect(both.toSorted()).toEqual(['/', invalid].toSorted())
    expect(await returnToService(other)).toBe(invalid)

    const late = await browser.visit(await browser.begin(one.url))
    clock.advance(10 * 60_000)
    expect(await browser.finishSignIn(one.url, late)).toBe(invalid)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    '/\t/evil.example',
  ])('is rejected with a foreign returnTo: %j [PPL-20]', async (returnTo) => {
    const answer = await browser.call(one.url, 'POST', '/api/v1/SignIn/oidc', { returnTo })
    expect(expectProblem(answer, 'InvalidRequest').errors).toMatchObject([{ path: 'returnTo' }])
  })
})

describe('an invitation through the issuer', () => {
  test('creates a person without a password, who cannot get one later [PPL-21]', async () => {
    issuer.account = newAccount({ name: ' Kim\u0000 \n Berg ' })
    const email = issuer.account.email ?? ''
    expect(await completeSignIn()).toBe('/#/sign-in?error=OidcPersonUnknown')
    const token = await invitedToken({ email, role: 'builder' })
    expect(await completeSignIn({ token, returnTo: '/#/welcome' })).toBe('/#/welcome')
    const { person, organizations } = await me()
    expect(person).toMatchObject({ email, name: 'Kim Berg', hasPassword: false, hasTotp: false })
    expect(organizations).toMatchObject([{ id: one.organizationId, role: 'builder' }])
    expect((await recordsOf(person.id)).map(({ action }) => action)).toEqual([
      'person.link',
      'invitation.accept',
    ])
    for (const [method, path, body] of [
      ['POST', '/api/v1/Me/password', { current: password, new: 'another long sentence' }],
      ['POST', '/api/v1/Me/totp', { password }],
      ['DELETE', '/api/v1/Me/totp', { password }],
    ] as const)
      expectProblem(await browser.call(one.url, method, path, body), 'NoPassword')
    const stranger = makeIssuerBrowser(publicUrl)
    for (const guess of ['', password])
      expectProblem(
        await stranger.call(one.url, 'POST', '/api/v1/SignIn', { email, password: guess }),
        'SignInFailed',
      )
    expectProblem(await stranger.call(one.url, 'POST', '/api/v1/SignIn/oidc', { token }), 'InvitationInvalid')
    browser.cookies.clear()
    expect(await completeSignIn()).toBe('/')
  })

  test('is bound to its address, whether or not the issuer has verified that of a new person [PPL-21]', async () => {
    const [mine, theirs] = [newAccount({ email_verified: false }), newAccount()]
    const token = await invitedToken({ email: mine.email ?? '', role: 'viewer' })
    issuer.account = theirs
    expect(await completeSignIn({ token })).toBe('/#/sign-in?error=OidcAddressMismatch')
    issuer.account = mine
    expect(await completeSignIn({ token })).toBe('/')
    expect((await me()).person.email).toBe(mine.email)

    // The person exists already, so an unverified address does not sign in as that person.
    const known = await addPerson(stores(), {
      email: 'known@example.com',
      homeOrganizationId: one.organizationId,
    })
    const again = await invitedToken({ email: known.email, role: 'viewer' })
    issuer.account = newAccount({ email: known.email, email_verified: false })
    expect(await completeSignIn({ token: again })).toBe('/#/sign-in?error=OidcEmailUnverified')
    issuer.account = { ...issuer.account, email_verified: true }
    expect(await completeSignIn({ token: again })).toBe('/')
    expect((await me()).person).toMatchObject({ id: known.id, hasPassword: false })
    // This account belongs to the person, so it cannot accept invitations of others.
    const others = await invitedToken({ email: 'else@example.com', role: 'viewer' })
    expect(await completeSignIn({ token: others })).toBe('/#/sign-in?error=OidcAddressMismatch')
  })

  test('makes a verified person an owner if it comes from the operator [PPL-21]', async () => {
    const caller = operatorCaller(one.organizationId, { name: 'test' })
    const token = await one.service.database.transaction((inside) =>
      addOwnerLink(clock, { stores: inside, caller }),
    )
    issuer.account = newAccount({ email_verified: false })
    expect(await completeSignIn({ token })).toBe('/#/sign-in?error=OidcEmailUnverified')
    issuer.account = { ...issuer.account, email_verified: true }
    expect(await completeSignIn({ token })).toBe('/')
    const { person, organizations } = await me()
    expect(person.email).toBe(issuer.account.email)
    expect(organizations).toMatchObject([{ role: 'owner' }])
  })

  test('has no effect if it is revoked during the sign-in [PPL-21]', async () => {
    issuer.account = newAccount()
    const body = { email: issuer.account.email, role: 'viewer' }
    const made = await one.client.call<{ id: string; link: string }>('POST', '/api/v1/Invitation', { body })
    const token = made.body.link.replace(`${publicUrl}/#/invitation?token=`, '')
    const back = await browser.visit(await browser.begin(one.url, { token }))
    await one.client.call('DELETE', `/api/v1/Invitation/${made.body.id}`)
    expect(await browser.finishSignIn(one.url, back)).toBe('/#/sign-in?error=InvitationInvalid')
    expect(await stores().people.findByAddress(body.email ?? '')).toEqual([])
  })
})
