import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openConsole } from '../../support/console/open-console.js'
import { granted, makeServiceAccount, refused } from '../../support/google/service-account.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const timeout = 120_000
const service = useQuestionService()
let page: Page

beforeAll(async () => {
  const owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  await owner.show('/connections', 'Connections')
  page = owner.page
}, timeout)

test('takes the key of a service account for Vertex AI, and says what to do if it is rejected [CNS-28] [CON-8]', {
  timeout,
}, async () => {
  const { tools } = service
  const account = makeServiceAccount(`${tools.url}/token`)
  await page.getByRole('button', { name: 'New connection' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'Google', exact: true }).click()
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Vertex')
  const address = `${tools.url}/v1/projects/my-project/locations/us-central1`
  await drawer.getByRole('textbox', { name: 'Base URL' }).fill(address)
  const key = drawer.getByLabel('Service account key', { exact: true })
  await key.fill('AIza-plain')
  await drawer.getByRole('button', { name: 'Create connection' }).click()
  await drawer.getByText('Must be the JSON key of a service account').waitFor()
  // The field has one line, like the browser's paste.
  await key.fill(account.key.replaceAll('\n', ''))
  await drawer.getByRole('button', { name: 'Create connection' }).click()

  const trial = drawer.getByRole('button', { name: 'Test connection' })
  const finding = drawer.getByRole('alert')
  void tools.expect('POST /token', refused)
  await trial.click()
  await finding.getByText('Create a new JSON key for the service account, paste it above and save.').waitFor()
  void tools.expect('POST /token', granted('ya29.console'))
  const listed = tools.expect('GET /v1beta1/publishers/google/models', { status: 403 })
  await trial.click()
  await finding.getByText('Grant the service account the role Vertex AI User.').waitFor()
  expect((await listed).headers.authorization).toBe('Bearer ya29.console')
})
