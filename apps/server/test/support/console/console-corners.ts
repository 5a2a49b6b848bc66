import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../people/signed-in.js'
import type { ConsolePage } from './console-pages.js'
import type { Hotel } from './hotel.js'

/** What a page shows only after a click or two. */
export interface ConsoleCorner extends ConsolePage {
  /** Leads to it, and ends when it is there. */
  readonly open: (page: Page) => Promise<void>
  /** What has changed of the page; all of it where left out. */
  readonly part?: string
}

const dialog = '[role=dialog]'
const press = async (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const dialogOf = async (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor()
const openRow = async (page: Page, words: string) =>
  page.getByRole('row').filter({ hasText: words }).first().click()

/** The other tabs, the drawers, the dialogs and the menus. */
export function consoleCorners({ spokenId }: Hotel): readonly ConsoleCorner[] {
  const audit = { path: '/audit-log', title: 'Audit log' }
  const tasks = { path: '/tasks', title: 'Tasks' }
  const keys = { path: '/organization/keys', title: 'API keys' }
  const members = { path: '/organization/members', title: 'Members' }
  return [
    {
      ...{ name: 'palette', path: '/tasks', title: 'Tasks', part: dialog },
      open: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByText('Blue Hotel desk').waitFor()
      },
    },
    {
      ...{ name: 'corner', path: '/tasks', title: 'Tasks', part: '[role=menu]' },
      open: async (page) => {
        await press(page, /your account/)
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      },
    },
    {
      ...{ name: 'a reason', path: '/approvals', title: 'Approvals', part: 'main' },
      open: async (page) => {
        await press(page, 'Reject Cancel a booking')
        await page.getByRole('textbox', { name: /Reason/ }).waitFor()
      },
    },
    {
      ...{ name: 'decided', path: '/approvals?tab=decided', title: 'Approvals', part: 'main' },
      open: async (page) => page.getByText('No call fits').waitFor(),
    },
    {
      ...{ name: 'sessions of a conversation', path: `/conversations/${spokenId}?tab=sessions`, title: /./ },
      part: 'main',
      open: async (page) => {
        await press(page, /The client left/)
        await page.getByRole('list', { name: 'Exchanges' }).waitFor()
      },
    },
    {
      ...{ name: 'delete a conversation', path: `/conversations/${spokenId}`, title: /./, part: dialog },
      open: async (page) => {
        await press(page, 'Delete this conversation')
        await dialogOf(page, 'Delete this conversation?')
      },
    },
    {
      ...{ name: 'task', ...tasks, part: dialog },
      open: async (page) => {
        await openRow(page, 'Repair the lamp')
        await dialogOf(page, 'Task')
      },
    },
    {
      ...{ name: 'delete a task', ...tasks, part: dialog },
      open: async (page) => {
        await openRow(page, 'Repair the lamp')
        await press(page, 'Delete')
        await dialogOf(page, 'Delete this task?')
      },
    },
    {
      ...{ name: 'leave a task', ...tasks, part: dialog },
      open: async (page) => {
        await press(page, 'New task')
        await page.getByRole('textbox', { name: 'Title' }).fill('Water the plants')
        await page.keyboard.press('Escape')
        await dialogOf(page, 'Leave without saving?')
      },
    },
    {
      ...{ name: 'make a key', ...keys, part: dialog },
      open: async (page) => {
        await press(page, 'Make a key')
        await dialogOf(page, 'Make a key')
      },
    },
    {
      ...{ name: 'new key', ...keys, part: 'main' },
      open: async (page) => {
        await press(page, 'Make a key')
        await page.getByRole('textbox', { name: 'Name' }).fill('web shop')
        await press(page, 'Make key')
        await page.locator('[data-copy="new key"]').waitFor()
      },
    },
    {
      ...{ name: 'delete a key', ...keys, part: dialog },
      open: async (page) => {
        await press(page, /Delete the key/)
        await dialogOf(page, /Delete the key/)
      },
    },
    {
      ...{ name: 'invite', ...members, part: dialog },
      open: async (page) => {
        await press(page, 'Invite')
        await dialogOf(page, 'Invite somebody')
      },
    },
    {
      ...{ name: 'invitations', ...members, part: 'main' },
      open: async (page) => {
        await press(page, 'Invite')
        await page.getByRole('textbox', { name: 'E-mail address' }).fill('grace@example.com')
        await press(page, 'Make the link')
        await page.locator('[data-copy="invitation link"]').waitFor()
        await page.getByRole('tab', { name: 'Invitations' }).click()
        await page
          .getByRole('row', { name: /grace@example.com/ })
          .first()
          .waitFor()
      },
    },
    {
      ...{ name: 'audit record', ...audit, part: dialog },
      open: async (page) => {
        await openRow(page, 'task.create')
        await dialogOf(page, 'task.create')
      },
    },
    {
      ...{ name: 'export', ...audit, part: '[role=menu]' },
      open: async (page) => {
        await press(page, 'Export')
        await page.getByRole('menuitem', { name: /JSON/ }).waitFor()
      },
    },
    {
      ...{ name: 'second factor', path: '/account', title: 'Your account', part: 'main' },
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Your password' }).fill(password)
        await press(page, 'Set it up')
        await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
      },
    },
  ]
}

/** Closes what a corner has opened above the page, the topmost first. What was written in it is left behind. */
export async function closeCorner(page: Page): Promise<void> {
  const above = page.locator('[role=dialog]:visible, [role=menu]:visible')
  const leave = page.getByRole('button', { name: 'Leave', exact: true })
  const closeTopmost = async () => ((await leave.isVisible()) ? leave.click() : page.keyboard.press('Escape'))
  for (let count = await above.count(); count > 0; count = await above.count()) {
    const message = `${JSON.stringify(await above.allInnerTexts())} stays open`
    const closeIfOpen = async () => {
      if ((await above.count()) === count) await closeTopmost()
      return above.count()
    }
    // Fewer; or one more, where it is asked whether to leave what was written. In the moment in which a dialog goes, the
    // drawer below it does not hear Escape, which then has to be pressed again.
    await expect.poll(closeIfOpen, { timeout: 60_000, interval: 500, message }).not.toBe(count)
  }
}
