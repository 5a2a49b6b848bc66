import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type {
  InvitationRecord,
  MemberRecord,
  PersonRecord,
  PersonSessionRecord,
} from '#server/ports/people-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { unusualText } from '../../support/stores/records.js'
import { newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const moment = '2030-01-02T03:04:05.678Z'
const later = '2030-02-01T00:00:00.001Z'
const firstPage = { offset: 0, limit: 50 }

const makePerson = (fields: Partial<PersonRecord> = {}): PersonRecord => ({
  ...{ id: uuid(), createdAt: moment, updatedAt: later, email: `${uuid()}@example.com`, name: unusualText },
  ...{
    passwordHash: '$argon2id$',
    sealedTotp: 'v1.sealed',
    pendingTotp: 'v1.pending',
    lastTotpStep: 63_113_904,
  },
  ...{ recoveryHashes: ['b', 'a'], provenAt: null, homeOrganizationId: null },
  ...{ wrongCodes: 3, wrongCodesSince: later },
  ...fields,
})

const makeSession = (personId: string, fields: Partial<PersonSessionRecord> = {}): PersonSessionRecord => ({
  ...{ id: uuid(), personId, tokenHash: uuid(), createdAt: moment, lastUsedAt: moment },
  ...{ expiresAt: later, endsAt: later, ipAddress: '2001:db8::1', userAgent: unusualText },
  ...{ wrongCodes: 2, wrongCodesSince: moment },
  ...fields,
})

describe.each(databaseKinds)('the people stores on the %s database [DB-1]', (kind) => {
  const kept = useStoreDatabase(kind)
  let person: PersonRecord

  beforeEach(async () => {
    person = makePerson()
    expect(await kept.stores.people.insert(person)).toBe(true)
  })

  const memberOf = (organizationId: string, fields: Partial<MemberRecord> = {}): MemberRecord => ({
    ...{ id: uuid(), organizationId, version: 1, createdAt: moment, updatedAt: moment },
    ...{ personId: person.id, role: 'builder' },
    ...fields,
  })

  test('finds a person unchanged by an address in any letter case', async () => {
    const { people } = kept.stores
    expect(await people.find(person.id)).toEqual(person)
    expect(await people.findByAddress(person.email.toUpperCase())).toEqual([person])
    expect(await people.findByAddress('nobody@example.com')).toEqual([])
    expect(await people.insert(makePerson({ email: person.email.toUpperCase() }))).toBe(false)
    const changed = { ...person, name: 'Kim', sealedTotp: null, recoveryHashes: [], wrongCodesSince: null }
    await people.update(changed)
    expect(await kept.database.transaction((stores) => stores.people.findLocked(person.id))).toEqual(changed)
    expect(await people.idsWithSecrets()).toContain(person.id)
    await people.update({ ...changed, pendingTotp: null })
    expect(await people.idsWithSecrets()).not.toContain(person.id)
  })

  test('allows one verified account per address, and one unverified account per organization', async () => {
    const { people, members } = kept.stores
    const { email } = person
    const [home, otherHome] = [kept.organizationId, await newOrganization(kept.database)]
    const accounts = [
      makePerson({ email, homeOrganizationId: home }),
      makePerson({ email: email.toUpperCase(), homeOrganizationId: home }),
      makePerson({ email, homeOrganizationId: otherHome }),
      makePerson({ email, homeOrganizationId: otherHome, provenAt: moment }),
      makePerson({ email, provenAt: moment }),
    ] as const
    const inserted: boolean[] = []
    for (const account of accounts) inserted.push(await people.insert(account))
    expect(inserted).toEqual([true, false, true, true, false])
    const [ofHome, , ofOther, proven] = accounts
    expect(await people.findByAddress(email)).toEqual([proven, person, ofHome, ofOther])

    const membership = memberOf(home, { personId: ofHome.id })
    const theirs = [memberOf(home, { personId: ofOther.id }), memberOf(otherHome, { personId: ofOther.id })]
    for (const each of [membership, ...theirs]) expect(await members.insert(each)).toBe('written')
    expect(await members.hasAddress(home, email.toUpperCase())).toBe(true)
    expect(await members.hasAddress(uuid(), email)).toBe(false)
    await members.move(ofOther.id, ofHome.id, later)
    expect(await members.ofPerson(ofOther.id)).toEqual([])
    expect(await members.ofPerson(ofHome.id)).toMatchObject([
      { id: membership.id, version: 1 },
      { id: theirs[1]?.id, version: 2, updatedAt: later },
    ])
    await people.insertSession(makeSession(ofOther.id))
    await people.remove(ofOther.id)
    expect(await people.findByAddress(email)).toEqual([proven, person, ofHome])
  })

  test('creates a counter of failed attempts once, locks it, updates it and removes it', async () => {
    const { signInAttempts } = kept.stores
    const fresh = {
      ...{ key: uuid(), personId: null, failures: 0, wrongCodes: 0 },
      lockedUntil: null,
      expiresAt: later,
    }
    const theirs = { ...fresh, key: uuid(), personId: person.id, failures: 4 }
    const seen = await kept.database.transaction(async (stores) => {
      expect(await stores.signInAttempts.lock(fresh)).toEqual(fresh)
      await stores.signInAttempts.update({ ...fresh, failures: 2, wrongCodes: 3, lockedUntil: later })
      await stores.signInAttempts.lock(theirs)
      return stores.signInAttempts.lock({ ...fresh, expiresAt: moment })
    })
    expect(seen).toEqual({ ...fresh, failures: 2, wrongCodes: 3, lockedUntil: later })
    expect(await signInAttempts.removeAll(fresh.key, [person.id])).toHaveLength(2)
    expect(await signInAttempts.removeAll(fresh.key, [])).toEqual([])
  })

  test("finds the person of a session and the person's role in the organization", async () => {
    const { people, members } = kept.stores
    const session = makeSession(person.id)
    await people.insertSession(session)
    const member = memberOf(kept.organizationId)
    expect(await members.insert(member)).toBe('written')
    const elsewhere = await newOrganization(kept.database)
    const { tokenHash } = session
    expect(await people.findSession(tokenHash, kept.organizationId)).toEqual({ session, person, member })
    for (const organizationId of [null, elsewhere])
      expect(await people.findSession(tokenHash, organizationId)).toEqual({ session, person, member: null })
    expect(await people.findSession(uuid(), kept.organizationId)).toBeNull()
  })

  test('links an identity once, one per issuer, and consumes a state once', async () => {
    const { people } = kept.stores
    const stranger = makePerson({ passwordHash: null })
    await people.insert(stranger)
    const identity = { issuer: 'https://id.example.com/a', subject: unusualText }
    const link = { at: moment, isVerified: true }
    const added = [
      await people.addIdentity(person.id, identity, link),
      await people.addIdentity(stranger.id, identity, link),
      await people.addIdentity(person.id, { ...identity, subject: 'another' }, link),
      await people.addIdentity(person.id, { ...identity, issuer: 'https://id.example.com/b' }, link),
      await people.addIdentity(
        stranger.id,
        { ...identity, subject: 'theirs' },
        { ...link, isVerified: false },
      ),
    ]
    expect(added).toEqual([true, false, false, true, true])
    expect(await people.findByIdentity(identity)).toEqual(await people.find(person.id))
    expect(await people.findByIdentity({ ...identity, subject: 'theirs' })).toEqual(stranger)
    expect(await people.findByIdentity({ ...identity, subject: 'another' })).toBeNull()
    expect(await people.haveVerifiedIdentity([person.id], identity.issuer)).toBe(true)
    expect(await people.haveVerifiedIdentity([stranger.id], identity.issuer)).toBe(false)
    await people.verifyIdentity({ ...identity, subject: 'theirs' }, later)
    expect(await people.haveVerifiedIdentity([stranger.id], identity.issuer)).toBe(true)
    expect(await people.removeOtherIdentities(person.id, identity)).toBe(1)
    expect(await people.findByIdentity(identity)).not.toBeNull()
    const hash = uuid()
    expect([await people.useOidcState(hash, later), await people.useOidcState(hash, later)]).toEqual([
      true,
      false,
    ])
  })

  test('lists, touches and removes the sessions of one person only', async () => {
    const { people } = kept.stores
    const [first, second, over] = [
      makeSession(person.id),
      makeSession(person.id),
      makeSession(person.id, { expiresAt: moment }),
    ]
    const stranger = makePerson()
    await people.insert(stranger)
    const strangers = makeSession(stranger.id)
    for (const session of [first, second, over, strangers]) await people.insertSession(session)
    expect(await people.listSessions(person.id, moment, firstPage)).toEqual({
      items: [second, first],
      totalCount: 2,
    })
    await people.touchSession(first.id, { at: later, expiresAt: later, endsAt: later })
    const { items } = await people.listSessions(person.id, moment, { offset: 1, limit: 1 })
    expect(items).toEqual([{ ...first, lastUsedAt: later }])
    const afterAll = '2031-01-01T00:00:00.000Z'
    const ahead = makeSession(person.id, { lastUsedAt: afterAll, expiresAt: afterAll, endsAt: afterAll })
    await people.insertSession(ahead)
    await people.shortenSessions({ at: moment, expiresAt: later, endsAt: later })
    expect((await people.listSessions(person.id, moment, firstPage)).items).toEqual([
      { ...ahead, lastUsedAt: moment, expiresAt: later, endsAt: later },
      second,
      { ...first, lastUsedAt: later },
    ])
    await people.removeSession(person.id, ahead.id)
    expect(await people.removeSession(person.id, strangers.id)).toBe(false)
    expect(await people.removeSession(person.id, first.id)).toBe(true)
    expect(await people.removeOtherSessions(person.id, second.id)).toBe(1)
    expect(await people.findSession(second.tokenHash, null)).not.toBeNull()
    expect(await people.removeOtherSessions(person.id, null)).toBe(1)
    expect(await people.findSession(strangers.tokenHash, null)).not.toBeNull()
  })

  test('lists members with their people, counts owners, and stores a member once per organization', async () => {
    const { members } = kept.stores
    const member = memberOf(kept.organizationId)
    await members.insert(member)
    const { email, name } = person
    const shown = { ...member, email, name, hasTotp: true }
    expect(await members.listWithPeople(kept.organizationId, firstPage)).toEqual({
      items: [shown],
      totalCount: 1,
    })
    expect(await members.insert(memberOf(kept.organizationId))).toBe('duplicate')
    expect(await members.countOwners(kept.organizationId)).toBe(0)
    const owner = { ...member, role: 'owner', version: 2 } as const
    expect(await members.update(owner, 1)).toBe('written')
    expect(await members.countOwners(kept.organizationId)).toBe(1)
    const elsewhere = await newOrganization(kept.database)
    const second = memberOf(elsewhere)
    await members.insert(second)
    expect(await members.ofPerson(person.id)).toMatchObject([owner, second])
    expect(await members.find(elsewhere, member.id)).toBeNull()
    await kept.database.transaction((stores) => stores.members.lockOwners(elsewhere))
  })

  test('finds an invitation by its token in any organization', async () => {
    const { invitations } = kept.stores
    const invitation: InvitationRecord = {
      ...{
        id: uuid(),
        organizationId: kept.organizationId,
        version: 1,
        createdAt: moment,
        updatedAt: moment,
      },
      ...{
        email: null,
        role: 'owner' as const,
        tokenHash: uuid(),
        invitedBy: unusualText,
        invitedById: uuid(),
        expiresAt: later,
        acceptedAt: moment,
      },
    }
    expect(await invitations.insert(invitation)).toBe('written')
    expect(await invitations.findByToken(invitation.tokenHash)).toEqual(invitation)
    expect(await invitations.findByToken(uuid())).toBeNull()
    const changed = { ...invitation, email: 'kim@example.com', acceptedAt: null, version: 2 }
    expect(await invitations.update(changed, 1)).toBe('written')
    expect(await invitations.find(kept.organizationId, invitation.id)).toEqual(changed)
  })

  test('removes expired sessions and invitations and keeps the others [RET-1]', async () => {
    const { people, invitations } = kept.stores
    const sessions = [makeSession(person.id, { expiresAt: moment }), makeSession(person.id)]
    for (const session of sessions) await people.insertSession(session)
    const made = [moment, later].map((expiresAt) => ({
      ...{
        id: uuid(),
        organizationId: kept.organizationId,
        version: 1,
        createdAt: moment,
        updatedAt: moment,
      },
      ...{
        email: null,
        role: 'viewer' as const,
        tokenHash: uuid(),
        invitedBy: null,
        invitedById: null,
        expiresAt,
        acceptedAt: null,
      },
    }))
    for (const invitation of made) await invitations.insert(invitation)
    const between = '2030-01-15T00:00:00.000Z'
    const states = [uuid(), uuid()] as const
    await people.useOidcState(states[0], moment)
    await people.useOidcState(states[1], later)
    await kept.database.transaction(async ({ retention }) => {
      for (const overdue of ['endedPersonSessions', 'closedInvitations', 'usedOidcStates'] as const)
        expect(await retention.removeBefore(overdue, between, 1000)).toBeGreaterThan(0)
    })
    expect(await Promise.all(sessions.map(({ tokenHash }) => people.findSession(tokenHash, null)))).toEqual([
      null,
      expect.objectContaining({ session: sessions[1] }),
    ])
    expect((await invitations.list(kept.organizationId, {}, firstPage)).items).toEqual([made[1]])
    expect(await people.useOidcState(states[0], later)).toBe(true)
    expect(await people.useOidcState(states[1], later)).toBe(false)
  })
})
