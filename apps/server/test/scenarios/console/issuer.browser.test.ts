import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole } from '../../support/console/open-console.js'
import { addMember, addPerson } from '../../support/people/signed-in.js'
import { clientId, clientSecret, startTestIssuer, type TestIssuer } from '../../support/people/test-issuer.js'
import { type RunningService, startService } from '../../support/start-service.js'

let issuer: TestIssuer
let running: RunningService

beforeAll(async () => {
  issuer = await startTestIssuer()
  running = await startService({
    env: {
      PARLEY_OIDC_ISSUER: issuer.url,
      PARLEY_OIDC_CLIENT_ID: clientId,
      PARLEY_OIDC_CLIENT_SECRET: clientSecret,
      PARLEY_OIDC_NAME: 'Blue Hotel',
    },
  })
})

afterAll(async () => {
  await running.close()
  await issuer.close()
})

test('signs in users known to the identity provider with one click, and explains why others are rejected [PPL-18] [CNS-1]', {
  timeout: 60_000,
}, async () => {
  const { stores } = running.service.database
  const { page } = await openConsole(running)
  const button = page.getByRole('button', { name: 'Continue with Blue Hotel' })
  issuer.account = { sub: 'nobody', email: 'nobody@example.com', email_verified: true, name: 'Nobody' }
  await page.goto(running.url)
  await button.click()
  await page.getByRole('alert').getByText('No account uses this email address').waitFor()

  issuer.account = { sub: 'kim', email: 'kim@example.com', email_verified: true, name: 'Kim' }
  const { id } = await addPerson(stores, { email: 'kim@example.com', name: 'Kim' })
  await addMember(stores, { organizationId: running.organizationId, personId: id, role: 'builder' })
  await button.click()
  await page.getByRole('navigation').getByRole('link', { name: 'Agents', exact: true }).waitFor()
  expect(await page.getByText('builder').count()).toBeGreaterThan(0)
})
