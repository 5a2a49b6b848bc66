import type { TestProject } from 'vitest/node'
import { type BrowserProgram, findBrowserProgram } from '../browser/browser-program.js'

declare module 'vitest' {
  export interface ProvidedContext {
    browser: BrowserProgram
  }
}

export async function setup(project: TestProject): Promise<void> {
  const { vitest } = project
  if (vitest.getProvidedContext().browser !== undefined) return
  const browser = await findBrowserProgram((line) => vitest.logger.log(line))
  vitest.logger.log(browser.ok ? `Tests use ${browser.description}` : `No browser. ${browser.problem}`)
  vitest.provide('browser', browser)
}
