import type { SignedIn } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Credentials } from '../../support/api-client.js'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import type { RawAnswer } from '../../support/http/send.js'
import { addOrganization } from '../../support/organizations.js'
import { type IssuerBrowser, makeIssuerBrowser } from '../../support/people/issuer-browser.js'
import { addMember, addPerson, password as formerPassword } from '../../support/people/signed-in.js'
import { clientId, clientSecret, startTestIssuer, type TestIssuer } from '../../support/people/test-issuer.js'
import { type RunningService, startService } from '../../support/start-service.js'

const publicUrl = 'https://parley.example'
const strangersPassword = 'the password of a stranger'
const ownPassword = 'the password of the owner'
let issuer: TestIssuer
let running: RunningService
/** The organization of a stranger, and the one that the person really belongs to. */
let [theirs, ours]: Credentials[] = []
let email: string

beforeAll(async () => {
  issuer = await startTestIssuer()
  running = await startService({
    env: {
      PARLEY_PUBLIC_URL: publicUrl,
      PARLEY_OIDC_ISSUER: issuer.url,
      PARLEY_OIDC_CLIENT_ID: clientId,
      PARLEY_OIDC_CLIENT_SECRET: clientSecret,
    },
  })
  ours = { organizationId: running.organizationId, apiKey: running.apiKey }
  theirs = await addOrganization(running, 'Organization of a stranger')
})

afterAll(async () => {
  await running.close()
  await issuer.close()
})

beforeEach(() => {
  email = `${uuid()}@example.com`
  issuer.account = { sub: uuid(), email, email_verified: true, name: 'The real person' }
})

const newBrowser = () => makeIssuerBrowser(publicUrl)
const stores = () => running.service.database.stores

async function invite(by: Credentials | undefined, role: string, address = email): Promise<string> {
  const body = { email: address, role }
  const made = await running.client
    .as(by ?? {})
    .call<{ link: string }>('POST', '/api/v1/Invitation', { body })
  expect(made.status).toBe(201)
  return made.body.link.split('token=')[1] ?? ''
}

const accept = (browser: IssuerBrowser, body: object): Promise<RawAnswer> =>
  browser.call(running.url, 'POST', '/api/v1/Invitation/accept', body)
const signIn = (browser: IssuerBrowser, password: string): Promise<RawAnswer> =>
  browser.call(running.url, 'POST', '/api/v1/SignIn', { email, password })
const present = async (token: string) =>
  JSON.parse((await newBrowser().call(running.url, 'POST', '/api/v1/Invitation/by-token', { token })).text)
const me = async (browser: IssuerBrowser): Promise<SignedIn> =>
  JSON.parse((await browser.call(running.url, 'GET', '/api/v1/Me')).text)
const namesOf = ({ text }: RawAnswer) =>
  (JSON.parse(text) as SignedIn).organizations.map(({ name, role }) => `${name}: ${role}`)

/** Completes the sign-in through the issuer. Returns the final path. */
async function completeSignIn(browser: IssuerBrowser, start: object = {}): Promise<string> {
  return browser.finishSignIn(running.url, await browser.visit(await browser.begin(running.url, start)))
}

/** Lets a stranger invite the address to their own organization and accept the link themselves. */
async function claimAddressAsStranger(): Promise<IssuerBrowser> {
  const stranger = newBrowser()
  const body = { token: await invite(theirs, 'viewer'), name: 'A stranger', password: strangersPassword }
  expect((await accept(stranger, body)).status).toBe(201)
  return stranger
}

describe('the first proof of an address', () => {
  test('removes the password, sessions and grants from before it [PPL-25]', async () => {
    const stranger = await claimAddressAsStranger()
    const claimed = (await me(stranger)).person
    const session = (await me(stranger)).session.id
    const token = await invite(ours, 'admin')
    const browser = newBrowser()
    expect(await completeSignIn(browser, { token })).toBe('/')
    const { person, organizations } = await me(browser)
    expect(person).toMatchObject({ email, name: 'The real person', hasPassword: false, hasTotp: false })
    expect(organizations.map(({ role }) => role)).toEqual(['viewer', 'admin'])

    expectProblem(await signIn(newBrowser(), strangersPassword), 'SignInFailed')
    expectProblem(await stranger.call(running.url, 'GET', '/api/v1/Me'), 'Unauthenticated')
    const [proof] = (await readRecords(running.client)).filter(({ action }) => action === 'person.prove')
    expect(proof).toMatchObject({
      actor: { type: 'person', id: claimed.id },
      details: { subject: issuer.account.sub, dropped: { password: true, sessions: 1 } },
    })
    expect(session).not.toBe((await me(browser)).session.id)
    // A later invitation by the stranger finds the proven account and creates no second one.
    expect(await present(await invite(await addOrganization(running), 'viewer'))).toMatchObject({
      hasAccount: true,
    })
  })

  test('removes the second factor and recovery codes, and is recorded once [PPL-25]', async () => {
    const person = await addPerson(stores(), {
      email,
      homeOrganizationId: running.organizationId,
      sealedTotp: 'v1.sealed',
      recoveryHashes: ['a'],
    })
    await addMember(stores(), { organizationId: running.organizationId, personId: person.id, role: 'owner' })
    expect(await completeSignIn(newBrowser())).toBe('/')
    expect(await stores().people.find(person.id)).toMatchObject({
      ...{ passwordHash: null, sealedTotp: null, pendingTotp: null, recoveryHashes: [] },
      provenAt: expect.any(String),
    })
    expect(await completeSignIn(newBrowser())).toBe('/')
    const proofs = (await readRecords(running.client)).filter(
      ({ action, actor }) => action === 'person.prove' && actor.id === person.id,
    )
    expect(proofs).toMatchObject([{ details: { dropped: { password: true, secondFactor: true } } }])
  })

  test('merges the accounts that several organizations created [PPL-25]', async () => {
    const stranger = await claimAddressAsStranger()
    const own = newBrowser()
    const body = { token: await invite(ours, 'builder'), name: 'Me', password: ownPassword }
    expect((await accept(own, body)).status).toBe(201)
    const browser = newBrowser()
    expect(await completeSignIn(browser)).toBe('/')
    expect((await me(browser)).organizations.map(({ role }) => role)).toEqual(['viewer', 'builder'])
    expect(await stores().people.findByAddress(email)).toHaveLength(1)
    for (const old of [stranger, own])
      expectProblem(await old.call(running.url, 'GET', '/api/v1/Me'), 'Unauthenticated')
    for (const password of [strangersPassword, ownPassword])
      expectProblem(await signIn(newBrowser(), password), 'SignInFailed')
  })

  test('takes the address back from an issuer account without a verified address [PPL-25]', async () => {
    const { account } = issuer
    issuer.account = { sub: uuid(), name: 'A stranger' }
    const stranger = newBrowser()
    expect(await completeSignIn(stranger, { token: await invite(theirs, 'viewer') })).toBe('/')
    issuer.account = account
    const browser = newBrowser()
    expect(await completeSignIn(browser, { token: await invite(ours, 'admin') })).toBe('/')
    expect((await me(browser)).organizations.map(({ role }) => role)).toEqual(['viewer', 'admin'])
    expectProblem(await stranger.call(running.url, 'GET', '/api/v1/Me'), 'Unauthenticated')
    issuer.account = { sub: uuid(), name: 'A stranger' }
    expect(
      await completeSignIn(newBrowser(), { token: await invite(theirs, 'viewer', `${uuid()}@example.com`) }),
    ).toBe('/')
  })

  test('removes the password of an account that an earlier version linked, and keeps the link [PPL-25]', async () => {
    const person = await addPerson(stores(), { email, homeOrganizationId: running.organizationId })
    await addMember(stores(), { organizationId: running.organizationId, personId: person.id, role: 'admin' })
    const { sub } = issuer.account
    const link = { at: new Date().toISOString(), isVerified: true }
    await stores().people.addIdentity(person.id, { issuer: issuer.url, subject: sub }, link)
    // The issuer has given the address to another of its accounts.
    issuer.account = { ...issuer.account, sub: uuid() }
    expect(await completeSignIn(newBrowser())).toBe('/#/sign-in?error=OidcAddressMismatch')
    expect((await signIn(newBrowser(), formerPassword)).status).toBe(200)
    issuer.account = { ...issuer.account, sub }
    const browser = newBrowser()
    expect(await completeSignIn(browser)).toBe('/')
    expect((await me(browser)).person).toMatchObject({ id: person.id, hasPassword: false })
    expectProblem(await signIn(newBrowser(), formerPassword), 'SignInFailed')
  })
})

describe('an account that another organization created', () => {
  test('neither blocks an invitation of its address nor gains anything by it [PPL-24]', async () => {
    const stranger = await claimAddressAsStranger()
    const token = await invite(ours, 'admin')
    expect(await present(token)).toMatchObject({ email, hasAccount: false })
    expectProblem(await accept(newBrowser(), { token, password: strangersPassword }), 'InvalidRequest')
    const same = await accept(newBrowser(), { token, name: 'Me', password: strangersPassword })
    expect(expectProblem(same, 'InvalidRequest').errors).toMatchObject([{ path: 'password' }])
    const own = newBrowser()
    const joined = await accept(own, { token, name: 'Me', password: ownPassword })
    expect(joined.status).toBe(201)
    expect(namesOf(joined)).toEqual(['My organization: admin'])

    // Each password opens its own account.
    expect(namesOf(await signIn(newBrowser(), ownPassword))).toEqual(['My organization: admin'])
    expect(namesOf(await signIn(newBrowser(), strangersPassword))).toEqual([
      'Organization of a stranger: viewer',
    ])
    const headers = { 'x-org-id': running.organizationId }
    const refused = await stranger.call(running.url, 'GET', '/api/v1/Agent', undefined, headers)
    expectProblem(refused, 'Forbidden')
    const [first, second] = await stores().people.findByAddress(email)
    // Accounts of one address share a salt, so the time of a sign-in does not reveal their number.
    const saltOf = (hash: string | null | undefined) => hash?.split('$').at(-2)
    expect(saltOf(first?.passwordHash)).toBe(saltOf(second?.passwordHash))
    expect(first?.passwordHash).not.toBe(second?.passwordHash)
  })

  test('does not reset the failed attempts of another account with its address [PPL-24]', async () => {
    await claimAddressAsStranger()
    const token = await invite(ours, 'admin')
    await accept(newBrowser(), { token, name: 'Me', password: ownPassword })
    for (let wrong = 0; wrong < 9; wrong += 1) await signIn(newBrowser(), 'not the right one')
    expect((await signIn(newBrowser(), strangersPassword)).status).toBe(200)
    expectProblem(await signIn(newBrowser(), 'not the right one'), 'SignInFailed')
    expectProblem(await signIn(newBrowser(), ownPassword), 'SignInFailed')
  })

  test('joins another organization only with its session and the link [PPL-24]', async () => {
    const own = await claimAddressAsStranger()
    expect(namesOf(await accept(own, { token: await invite(ours, 'builder') }))).toEqual([
      'Organization of a stranger: viewer',
      'My organization: builder',
    ])
    const again = await running.client.call('POST', '/api/v1/Invitation', { body: { email, role: 'viewer' } })
    expect(again.status).toBe(409)
  })
})
