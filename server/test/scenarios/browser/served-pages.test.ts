import { expect, test } from 'vitest'
import { visit } from '../../support/browser/visit.js'
import { useService } from '../../support/http/use-service.js'

const http = useService()

test.each([
  ['/', 'Parley'],
  ['/docs', 'Parley API'],
])('[DOC-6] %s opens in a browser without a complaint', async (path, heading) => {
  const { page, troubles } = await visit(`${http.running.url}${path}`)
  await page.getByRole('heading', { name: heading, level: 1 }).first().waitFor()
  expect(troubles).toEqual([])
})
