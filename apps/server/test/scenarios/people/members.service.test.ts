import type { Page } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { hashToken } from '#server/domain/new-id.js'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { useService } from '../../support/http/use-service.js'
import { addOrganization } from '../../support/organizations.js'
import {
  addMember,
  addPerson,
  makeVisitor,
  password,
  type SignedInPerson,
  signedIn,
  type Visitor,
} from '../../support/people/signed-in.js'
import { makeTestClock } from '../../support/test-clock.js'

const hours = 60 * 60 * 1000
const clock = makeTestClock(new Date())
const service = useService({ clock, env: { LOG_LEVEL: 'debug' } })

const setRole = (by: SignedInPerson, of: SignedInPerson, role: string) =>
  by.call('PATCH', `/api/v1/Member/${of.memberId}`, { body: { role } })
const remove = (by: SignedInPerson, of: SignedInPerson) => by.call('DELETE', `/api/v1/Member/${of.memberId}`)
const invite = (by: Visitor, body: object) => by.call('POST', '/api/v1/Invitation', { body })
const tokenOf = (link: string) => link.split('token=')[1] ?? ''

async function invitedToken(body: object): Promise<string> {
  const made = await service.client.call<{ link: string }>('POST', '/api/v1/Invitation', { body })
  expect(made.status).toBe(201)
  return tokenOf(made.body.link)
}

const find = (token: string) =>
  makeVisitor(service.running).call('POST', '/api/v1/Invitation/by-token', { body: { token } })
const accept = (visitor: Visitor, body: object) => visitor.call('POST', '/api/v1/Invitation/accept', { body })

describe('members', () => {
  test('members get a new role from the next call on and cannot give themselves a higher one [PPL-13]', async () => {
    const [owner, admin, builder] = [
      await signedIn(service.running, 'owner', clock),
      await signedIn(service.running, 'admin', clock),
      await signedIn(service.running, 'builder', clock),
    ]
    expectProblem(await setRole(builder, builder, 'owner'), 'Forbidden')
    for (const other of [admin, builder]) expectProblem(await setRole(admin, other, 'owner'), 'Forbidden')
    for (const role of ['admin', 'viewer']) expectProblem(await setRole(admin, owner, role), 'Forbidden')
    expectProblem(await remove(admin, owner), 'Forbidden')
    expectProblem(await invite(admin, { email: 'o@example.com', role: 'owner' }), 'Forbidden')

    // An admin cannot get around this with a new key.
    const made = await admin.call('POST', '/api/v1/ApiKey', {
      body: { name: 'Way around', scopes: ['org:manage'] },
    })
    const key = service.client.as({ apiKey: JSON.parse(made.text).key })
    const path = `/api/v1/Member/${admin.memberId}`
    expect((await key.call('PATCH', path, { body: { role: 'owner' } })).status).toBe(403)
    const invitation = { body: { email: 'o@example.com', role: 'owner' } }
    expect((await key.call('POST', '/api/v1/Invitation', invitation)).status).toBe(403)

    expect((await setRole(admin, builder, 'viewer')).status).toBe(200)
    expectProblem(await builder.call('POST', '/api/v1/Task', { body: { title: 'A' } }), 'Forbidden')
    expect((await builder.call('GET', '/api/v1/Task')).status).toBe(200)
    expect((await remove(admin, builder)).status).toBe(204)
    expectProblem(await builder.call('GET', '/api/v1/Task'), 'Forbidden')
    expect((await builder.call('GET', '/api/v1/Me')).status).toBe(200)

    expect((await setRole(owner, admin, 'owner')).status).toBe(200)
    const refused = (await readRecords(service.client)).filter(({ outcome }) => outcome === 'refused')
    expect(refused.filter(({ actor }) => actor.id === admin.person.id)).toHaveLength(6)
    expect((await remove(owner, admin)).status).toBe(204)
    // Removes the owner, so that the next test knows the number of owners.
    await service.running.service.database.transaction(async ({ members }) => {
      const current = await members.findLocked(service.running.organizationId, owner.memberId)
      if (current) await members.remove(current, current.version)
    })
  })

  test('the last owner cannot be removed or demoted, even by concurrent requests [PPL-14] [PPL-13]', async () => {
    const owners = [
      await signedIn(service.running, 'owner', clock),
      await signedIn(service.running, 'owner', clock),
    ] as const
    const [first, second] = owners
    const answers = await Promise.all([setRole(first, first, 'admin'), setRole(second, second, 'admin')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const last = answers[0]?.status === 409 ? first : second
    expectProblem(await setRole(last, last, 'viewer'), 'LastOwner')
    expectProblem(await remove(last, last), 'LastOwner')
    expect((await setRole(last, last, 'owner')).status).toBe(200)
  })
})

describe('an invitation', () => {
  test('is a link with its token in the fragment, is shown once, and creates a new person [PPL-15]', async () => {
    const { running } = service
    const admin = await signedIn(running, 'admin', clock)
    const email = 'New@Example.com'
    const forgedHeaders = { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' }
    const made = await admin.call('POST', '/api/v1/Invitation', {
      body: { email, role: 'builder' },
      headers: forgedHeaders,
    })
    const { link, invitedBy } = JSON.parse(made.text)
    expect(link.startsWith(`${running.url}/#/invitation?token=`)).toBe(true)
    expect(invitedBy).toBe('An admin')
    const token = tokenOf(link)
    const listed = await admin.call('GET', '/api/v1/Invitation')
    expect(listed.text).toContain('new@example.com')
    expect(listed.text).not.toContain(token)
    expect(JSON.parse((await find(token)).text)).toMatchObject({
      organizationName: 'My organization',
      email: 'new@example.com',
      role: 'builder',
      hasAccount: false,
    })

    const visitor = makeVisitor(running)
    expect(expectProblem(await accept(visitor, { token }), 'InvalidRequest').errors).toMatchObject([
      { path: 'password' },
    ])
    expectProblem(await accept(visitor, { token, password: 'a new long sentence' }), 'InvalidRequest')
    expectProblem(await accept(visitor, { token, name: 'New', password: 'short' }), 'InvalidRequest')
    const body = { token, name: 'New', password: 'a new long sentence' }
    const both = await Promise.all([accept(visitor, body), accept(makeVisitor(running), body)])
    const statuses = both.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(201)
    expect([400, 401, 409]).toContain(statuses[1])
    if (visitor.cookie === '')
      await visitor.call('POST', '/api/v1/SignIn', { body: { email, password: 'a new long sentence' } })
    expect((await visitor.call('GET', '/api/v1/Agent')).status).toBe(200)
    expectProblem(await visitor.call('GET', '/api/v1/Member'), 'Forbidden')
    expectProblem(await accept(makeVisitor(running), body), 'InvitationInvalid')
    expectProblem(await find(token), 'InvitationInvalid')
    expect((await readRecords(service.client))[0]).toMatchObject({
      action: 'access.refused',
      actor: { type: 'person', name: 'New' },
    })
    const records = (await readRecords(service.client)).filter(({ action }) => action === 'invitation.accept')
    expect(records).toMatchObject([{ actor: { type: 'person', name: 'New' }, details: { role: 'builder' } }])
    expect(JSON.stringify(await readRecords(service.client)) + running.log.join('\n')).not.toContain(token)
  })

  test('can be accepted by an existing person with their password or session, and only with their address [PPL-15]', async () => {
    const { running } = service
    const { stores } = running.service.database
    const other = await addOrganization(running, 'Second house')
    const elsewhere = service.client.as(other)
    const inviteTo = async (email: string) => {
      const made = await elsewhere.call<{ link: string }>('POST', '/api/v1/Invitation', {
        body: { email, role: 'viewer' },
      })
      return tokenOf(made.body.link)
    }
    const person = await signedIn(running, 'builder', clock)
    const { email } = person.person
    const token = await inviteTo(email)
    // The account belongs to another organization, so its owner must be signed in.
    expect(JSON.parse((await find(token)).text)).toMatchObject({
      hasAccount: false,
      organizationName: 'Second house',
    })
    expectProblem(await accept(makeVisitor(running), { token, password }), 'InvalidRequest')
    const viewer = await signedIn(running, 'viewer', clock)
    expectProblem(await accept(viewer, { token }), 'Conflict')
    const before = person.cookie
    const joined = JSON.parse((await accept(person, { token })).text)
    expect(joined.organizations).toMatchObject([
      { role: 'builder' },
      { name: 'Second house', role: 'viewer' },
    ])
    expect(person.cookie).not.toBe(before)
    const old = Object.assign(makeVisitor(running), { cookie: before })
    expectProblem(await old.call('GET', '/api/v1/Me'), 'Unauthenticated')
    const there = { 'x-org-id': other.organizationId }
    expect((await person.call('GET', '/api/v1/Agent', { headers: there })).status).toBe(200)
    expectProblem(
      await person.call('POST', '/api/v1/Task', { body: { title: 'A' }, headers: there }),
      'Forbidden',
    )
    expect((await person.call('POST', '/api/v1/Task', { body: { title: 'A' } })).status).toBe(201)
    const again = { body: { email, role: 'owner' } }
    expect((await elsewhere.call('POST', '/api/v1/Invitation', again)).status).toBe(403)
    const asViewer = { body: { email, role: 'viewer' } }
    expect((await elsewhere.call('POST', '/api/v1/Invitation', asViewer)).status).toBe(409)

    const second = await addPerson(stores, { homeOrganizationId: other.organizationId })
    const toSecond = await inviteTo(second.email)
    expect(JSON.parse((await find(toSecond)).text)).toMatchObject({ hasAccount: true })
    expectProblem(
      await accept(makeVisitor(running), { token: toSecond, name: 'X', password: 'another long one' }),
      'SignInFailed',
    )
    const byPassword = await accept(makeVisitor(running), { token: toSecond, password })
    expect(JSON.parse(byPassword.text).organizations).toMatchObject([{ name: 'Second house' }])
  })

  test('stops working after seven days and when it is revoked [PPL-15]', async () => {
    const body = { email: 'late@example.com', role: 'viewer' }
    const account = { name: 'Late', password: 'a new long sentence' }
    const expired = await invitedToken(body)
    clock.advance(7 * 24 * hours + 1000)
    const revoked = await invitedToken(body)
    const { body: page } = await service.client.call<Page<{ id: string }>>(
      'GET',
      '/api/v1/Invitation?Limit=1',
    )
    const path = `/api/v1/Invitation/${page.items[0]?.id}`
    expect((await service.client.call('DELETE', path)).status).toBe(204)
    const tokens = { expired, takenBack: revoked, 'never made': 'a'.repeat(43), empty: '' }
    const details = new Set<string>()
    for (const token of Object.values(tokens)) {
      details.add(expectProblem(await find(token), 'InvitationInvalid').detail)
      expectProblem(await accept(makeVisitor(service.running), { token, ...account }), 'InvitationInvalid')
    }
    expect(details.size).toBe(1)
  })
})

describe('open invitations of a member', () => {
  const account = { name: 'Back again', password: 'a new long sentence' }
  const inviteAs = async (by: SignedInPerson, role: string) => {
    const made = await invite(by, { email: `${uuid()}@example.com`, role })
    expect(made.status).toBe(201)
    return tokenOf(JSON.parse(made.text).link)
  }
  const acceptAsNewPerson = (token: string) => accept(makeVisitor(service.running), { token, ...account })

  test('open invitations end when the member loses the role that allowed them [PPL-23]', async () => {
    const [owner, other] = [
      await signedIn(service.running, 'owner', clock),
      await signedIn(service.running, 'owner', clock),
    ]
    const toOwner = await inviteAs(other, 'owner')
    const toAdmin = await inviteAs(other, 'admin')
    const ofOwner = await inviteAs(owner, 'owner')
    expect((await setRole(owner, other, 'admin')).status).toBe(200)
    expectProblem(await acceptAsNewPerson(toOwner), 'InvitationInvalid')
    expect((await acceptAsNewPerson(toAdmin)).status).toBe(201)
    const second = await inviteAs(other, 'admin')
    expect((await setRole(owner, other, 'viewer')).status).toBe(200)
    expectProblem(await acceptAsNewPerson(second), 'InvitationInvalid')
    expect((await acceptAsNewPerson(ofOwner)).status).toBe(201)

    const records = await readRecords(service.client)
    const ended = records.filter(({ details }) => details.because === 'member.update')
    expect(ended).toMatchObject([
      { action: 'invitation.delete', actor: { id: owner.person.id }, details: { role: 'admin' } },
      { action: 'invitation.delete', actor: { id: owner.person.id }, details: { role: 'owner' } },
    ])
    const changed = records.filter(
      ({ action, resourceId }) => action === 'member.update' && resourceId === other.memberId,
    )
    expect(changed.map(({ details }) => details.endedInvitations)).toEqual([1, 1])
  })

  test('open invitations end when the member is removed, including older ones, while those of others stay [PPL-23]', async () => {
    const [owner, other] = [
      await signedIn(service.running, 'owner', clock),
      await signedIn(service.running, 'owner', clock),
    ]
    const ofOther = await inviteAs(other, 'owner')
    const ofOwner = await inviteAs(owner, 'viewer')
    const ofKey = await invitedToken({ email: `${uuid()}@example.com`, role: 'viewer' })
    const old = await inviteAs(other, 'owner')
    const { invitations } = service.running.service.database.stores
    const row = await invitations.findByToken(hashToken(old))
    if (row === null) throw new Error('The invitation is not stored.')
    await invitations.update({ ...row, invitedById: null }, row.version)

    expect((await remove(owner, other)).status).toBe(204)
    for (const token of [ofOther, old]) expectProblem(await acceptAsNewPerson(token), 'InvitationInvalid')
    for (const token of [ofOwner, ofKey]) expect((await acceptAsNewPerson(token)).status).toBe(201)
    const [removed] = (await readRecords(service.client)).filter(({ action }) => action === 'member.delete')
    expect(removed?.details).toMatchObject({ endedInvitations: 2 })
  })
})

describe('an owner link', () => {
  const account = { name: 'Alex', password: 'a new long sentence', email: 'alex@example.com' }

  test('makes the first person who opens it within an hour an owner [PPL-16]', async () => {
    const { running } = service
    const { addOwnerLink } = await import('#server/domain/people/members.js')
    const { operatorCaller } = await import('#server/domain/operator/operator-act.js')
    const newLink = () =>
      running.service.database.transaction((stores) =>
        addOwnerLink(clock, { stores, caller: operatorCaller(running.organizationId, { name: 'root' }) }),
      )
    const expired = await newLink()
    clock.advance(hours + 1000)
    expectProblem(await accept(makeVisitor(running), { token: expired, ...account }), 'InvitationInvalid')
    const token = await newLink()
    const { email: _, ...nameless } = account
    const missing = expectProblem(
      await accept(makeVisitor(running), { token, ...nameless }),
      'InvalidRequest',
    )
    expect(missing.errors).toMatchObject([{ path: 'email' }])
    const visitor = makeVisitor(running)
    const answer = await accept(visitor, { token, ...account })
    expect(JSON.parse(answer.text).organizations).toMatchObject([{ role: 'owner' }])
    expect((await visitor.call('GET', '/api/v1/AuditLog')).status).toBe(200)
    expectProblem(await accept(makeVisitor(running), { token, ...account }), 'InvitationInvalid')
    // An admin cannot revoke a link that only owners and the operator can create.
    await newLink()
    const admin = await signedIn(running, 'admin', clock)
    const { items } = JSON.parse((await admin.call('GET', '/api/v1/Invitation?Limit=1')).text)
    expect(items).toMatchObject([{ email: null, role: 'owner', invitedBy: 'root' }])
    expectProblem(await admin.call('DELETE', `/api/v1/Invitation/${items[0].id}`), 'Forbidden')
  })
})

test('actions of a member of several organizations are recorded in each of them [PPL-17]', async () => {
  const { running } = service
  const { stores } = running.service.database
  const other = await addOrganization(running)
  const person = await signedIn(running, 'viewer', clock)
  const { id: personId } = person.person
  await addMember(stores, { organizationId: other.organizationId, personId, role: 'admin' })
  await person.call('POST', '/api/v1/SignOut')
  for (const client of [service.client, service.client.as(other)])
    expect((await readRecords(client))[0]).toMatchObject({
      action: 'person.sign_out',
      actor: { id: personId },
    })
})
