import { expect, test } from 'vitest'
import { DialSlots } from '#server/domain/telephone/dial-slots.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'

test('an organization whose provider is slow leaves room for others [TEL-24]', async () => {
  const slots = new DialSlots()
  expect(slots.room()).toEqual({ limit: 100, perOrganization: 10, exceptOrganizations: [] })
  const answers: (() => void)[] = []
  const dial = (organizationId: string) =>
    slots.add(makePhoneCall(organizationId), new Promise((resolve) => answers.push(resolve)))
  for (let call = 0; call < 9; call += 1) dial('slow')
  expect(slots.room()?.exceptOrganizations).toEqual([])
  dial('slow')
  dial('quick')
  expect(slots.room()).toEqual({ limit: 89, perOrganization: 10, exceptOrganizations: ['slow'] })
  for (const answer of answers) answer()
  await slots.settled()
  expect(slots.room()?.limit).toBe(100)
  for (let call = 0; call < 100; call += 1) dial(`organization-${call}`)
  expect(slots.room()).toBeNull()
})
