import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../people/signed-in.js'
import type { ConsolePage } from './console-pages.js'
import type { Hotel } from './hotel.js'

/** A part of a page that appears only after a click or two. */
export interface HiddenPart extends ConsolePage {
  /** Opens it, and resolves when it is visible. */
  readonly open: (page: Page) => Promise<void>
  /** The selector of the changed part. Default: the whole page. */
  readonly part?: string
}

const dialog = '[role=dialog]'
const press = async (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const dialogOf = async (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor()
const openRow = async (page: Page, words: string) =>
  page.getByRole('row').filter({ hasText: words }).first().click()

/** The other tabs, drawers, dialogs and menus. */
export function hiddenParts({ spokenId, endUserId, phoneCallId }: Hotel): readonly HiddenPart[] {
  const audit = { path: '/audit-log', title: 'Audit log' }
  const tasks = { path: '/tasks', title: 'Tasks' }
  const keys = { path: '/organization/keys', title: 'API keys' }
  const members = { path: '/organization/members', title: 'Members' }
  const phone = { path: '/phone-numbers', title: 'Phone numbers', part: dialog }
  const lines = { ...phone, path: '/phone-numbers?tab=connections' }
  return [
    {
      ...{ name: 'palette', path: '/tasks', title: 'Tasks', part: dialog },
      open: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByText('Blue Hotel desk').waitFor()
      },
    },
    {
      ...{ name: 'user menu', path: '/tasks', title: 'Tasks', part: '[role=menu]' },
      open: async (page) => {
        await press(page, /Account and organizations/)
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      },
    },
    {
      ...{ name: 'rejection reason', path: '/approvals', title: 'Approvals', part: 'main' },
      open: async (page) => {
        await press(page, 'Reject Cancel a booking')
        await page.getByRole('textbox', { name: /Reason/ }).waitFor()
      },
    },
    {
      ...{ name: 'decided approvals', path: '/approvals?tab=decided', title: 'Approvals', part: 'main' },
      open: async (page) => page.getByText('No matching approvals').waitFor(),
    },
    {
      ...{ name: 'sessions of a conversation', path: `/conversations/${spokenId}?tab=sessions`, title: /./ },
      part: 'main',
      open: async (page) => {
        await press(page, /Client disconnected/)
        await page.getByRole('list', { name: 'Exchanges' }).waitFor()
      },
    },
    {
      ...{ name: 'delete a conversation', path: `/conversations/${spokenId}`, title: /./, part: dialog },
      open: async (page) => {
        await press(page, 'Delete conversation')
        await dialogOf(page, 'Delete conversation?')
      },
    },
    {
      ...{ name: 'details of a conversation', path: `/conversations/${spokenId}?tab=details`, title: /./ },
      part: 'main',
      open: async (page) => page.getByText('External user ID').waitFor(),
    },
    ...['conversations', 'sessions'].map((tab) => ({
      ...{ name: `${tab} of an end user`, path: `/end-users/${endUserId}?tab=${tab}`, title: 'Grace Hopper' },
      part: 'main',
      open: async (page: Page) => page.getByRole('row').nth(1).waitFor(),
    })),
    {
      ...{ name: 'usage of an end user', path: `/end-users/${endUserId}?tab=usage`, title: 'Grace Hopper' },
      part: 'main',
      open: async (page) => page.getByRole('region', { name: 'Tokens by day' }).waitFor(),
    },
    {
      ...{
        name: 'add a fact',
        path: `/end-users/${endUserId}?tab=memory`,
        title: 'Grace Hopper',
        part: dialog,
      },
      open: async (page) => {
        await press(page, 'Add fact')
        await dialogOf(page, 'New fact')
      },
    },
    {
      ...{ name: 'erase an end user', path: `/end-users/${endUserId}`, title: 'Grace Hopper', part: dialog },
      open: async (page) => {
        await press(page, 'Erase')
        await dialogOf(page, 'Erase end user?')
      },
    },
    {
      ...{ name: 'edit an end user', path: `/end-users/${endUserId}`, title: 'Grace Hopper', part: dialog },
      open: async (page) => {
        await press(page, 'Edit')
        await dialogOf(page, 'Edit end user')
      },
    },
    {
      ...{ name: 'edit a phone number', ...phone },
      open: async (page) => {
        await openRow(page, 'Reception')
        await dialogOf(page, 'Reception')
      },
    },
    {
      ...{ name: 'new phone connection', ...lines },
      open: async (page) => {
        await press(page, 'New phone connection')
        await dialogOf(page, 'New phone connection')
      },
    },
    {
      ...{ name: 'edit a phone connection', ...lines },
      open: async (page) => {
        await openRow(page, 'Hotel account')
        await page.locator('[data-copy="answer URL"]').waitFor()
      },
    },
    ...['Front desk', 'Call center', 'Annex'].map((name) => ({
      ...{ name: `edit the phone connection ${name}`, ...lines },
      open: async (page: Page) => {
        await openRow(page, name)
        await dialogOf(page, name)
      },
    })),
    {
      ...{ name: 'stop all calls', path: '/calls', title: 'Calls', part: dialog },
      open: async (page) => {
        await press(page, 'Stop all calls')
        await dialogOf(page, 'Stop all calls?')
      },
    },
    {
      ...{ name: 'new call', path: '/calls', title: 'Calls', part: dialog },
      open: async (page) => {
        await press(page, 'New call')
        await dialogOf(page, 'New call')
      },
    },
    {
      ...{ name: 'transfer a call', path: `/calls/${phoneCallId}`, title: 'Call', part: dialog },
      open: async (page) => {
        await press(page, 'Transfer')
        await dialogOf(page, 'Transfer call')
      },
    },
    {
      ...{ name: 'press keys', path: `/calls/${phoneCallId}`, title: 'Call', part: dialog },
      open: async (page) => {
        await press(page, 'Press keys')
        await dialogOf(page, 'Press keys')
      },
    },
    {
      ...{ name: 'hang up', path: `/calls/${phoneCallId}`, title: 'Call', part: dialog },
      open: async (page) => {
        await press(page, 'Hang up')
        await dialogOf(page, 'Hang up?')
      },
    },
    {
      ...{ name: 'edit a task', ...tasks, part: dialog },
      open: async (page) => {
        await openRow(page, 'Repair the lamp')
        await dialogOf(page, 'Task')
      },
    },
    {
      ...{ name: 'task that calls', ...tasks, part: dialog },
      open: async (page) => {
        await press(page, 'New task')
        await page.getByRole('dialog').getByRole('combobox', { name: 'Channel' }).click()
        await page.getByRole('option', { name: 'Telephone call' }).click()
        await page.getByRole('dialog').getByRole('combobox', { name: 'From' }).waitFor()
      },
    },
    {
      ...{ name: 'delete a task', ...tasks, part: dialog },
      open: async (page) => {
        await openRow(page, 'Repair the lamp')
        await press(page, 'Delete')
        await dialogOf(page, 'Delete task?')
      },
    },
    {
      ...{ name: 'unsaved task', ...tasks, part: dialog },
      open: async (page) => {
        await press(page, 'New task')
        await page.getByRole('textbox', { name: 'Title' }).fill('Water the plants')
        await page.keyboard.press('Escape')
        await dialogOf(page, 'Leave without saving?')
      },
    },
    {
      ...{ name: 'create an API key', ...keys, part: dialog },
      open: async (page) => {
        await press(page, 'New API key')
        await dialogOf(page, 'New API key')
      },
    },
    {
      ...{ name: 'new key', ...keys, part: 'main' },
      open: async (page) => {
        await press(page, 'New API key')
        await page.getByRole('textbox', { name: 'Name' }).fill('web shop')
        await press(page, 'Create API key')
        await page.locator('[data-copy="new key"]').waitFor()
      },
    },
    {
      ...{ name: 'delete a key', ...keys, part: dialog },
      open: async (page) => {
        await press(page, /Delete API key/)
        await dialogOf(page, /Delete API key/)
      },
    },
    {
      ...{ name: 'invite', ...members, part: dialog },
      open: async (page) => {
        await press(page, 'Invite member')
        await dialogOf(page, 'Invite member')
      },
    },
    {
      ...{ name: 'invitations', ...members, part: 'main' },
      open: async (page) => {
        await press(page, 'Invite member')
        await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
        await press(page, 'Create link')
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
      ...{ name: 'second factor', path: '/account', title: 'Account settings', part: 'main' },
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Your password' }).fill(password)
        await press(page, 'Set up')
        await page.getByRole('img', { name: 'QR code' }).waitFor()
      },
    },
  ]
}

/** Closes everything above the page, the topmost element first. Unsaved input is discarded. */
export async function closeOverlays(page: Page): Promise<void> {
  const above = page.locator('[role=dialog]:visible, [role=menu]:visible')
  const leave = page.getByRole('button', { name: 'Leave', exact: true })
  const closeTopmost = async () => ((await leave.isVisible()) ? leave.click() : page.keyboard.press('Escape'))
  for (let count = await above.count(); count > 0; count = await above.count()) {
    const message = `${JSON.stringify(await above.allInnerTexts())} stays open`
    const closeIfOpen = async () => {
      if ((await above.count()) === count) await closeTopmost()
      return above.count()
    }
    // Fewer, or one more if a dialog asks about unsaved input. While a dialog closes, the drawer below it
    // ignores Escape, so it has to be pressed again.
    await expect.poll(closeIfOpen, { timeout: 60_000, interval: 500, message }).not.toBe(count)
  }
}
