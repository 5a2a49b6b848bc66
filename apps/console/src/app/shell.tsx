import {
  ActionIcon,
  AppShell,
  Burger,
  Divider,
  Group,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconBook2, IconSearch, IconSparkles } from '@tabler/icons-react'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { useConsole } from '../data/console-context'
import { useLive } from '../data/live'
import { Sign } from '../parts/sign'
import { AccountMenu } from './account-menu'
import { ApprovalBadge } from './approval-badge'
import { CommandPalette, openPalette } from './command-palette'
import { ConnectionBadge } from './connection-badge'
import { ForbiddenPage } from './forbidden-page'
import { navigation } from './pages'
import { noticeUpdate } from './update-notice'
import { useFullTextOnHover } from './use-full-text-on-hover'
import { useWrongCodesNotice } from './wrong-codes-notice'

/** The frame of every page. */
export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // The old page stays visible until the next one has loaded.
  const shownPath = useRouterState({
    select: ({ location, resolvedLocation }) => (resolvedLocation ?? location).pathname,
  })
  // Navigation closes the menu on a phone.
  const [menuOpenAt, setMenuOpenAt] = useState<string | null>(null)
  const isMenuOpen = menuOpenAt === path
  const main = useRef<HTMLElement>(null)
  const { may, signedIn } = useConsole()
  const live = useLive(noticeUpdate)
  useFocusAfterwards(main)
  useFullTextOnHover()
  useWrongCodesNotice(signedIn)
  const isForbidden = navigation.some(({ entries }) =>
    entries.some(
      ({ path: to, scope }) =>
        [path, shownPath].some((each) => each === to || each.startsWith(`${to}/`)) && !may(scope),
    ),
  )

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
    >
      <button type="button" className="parley-skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <AppShell.Header px="md" bg="var(--parley-card)">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isMenuOpen}
              onClick={() => setMenuOpenAt(isMenuOpen ? null : path)}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
            />
            <Sign />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ConnectionBadge state={live} />
            <Tooltip label="Search (Ctrl K)">
              <ActionIcon variant="subtle" color="gray" size="lg" onClick={openPalette} aria-label="Search">
                <IconSearch size={18} />
              </ActionIcon>
            </Tooltip>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        bg="var(--parley-card)"
        aria-label="Main"
        className="parley-pages"
        mod={{ open: isMenuOpen }}
      >
        <ScrollArea flex={1} mih={0} type="auto" scrollbarSize={8} offsetScrollbars="present">
          <Pages path={path} />
        </ScrollArea>
        <Divider my={4} />
        <NavLink
          href="/docs"
          label="API reference"
          py={5}
          leftSection={<IconBook2 size={18} stroke={1.6} />}
        />
        <NavLink
          component={Link}
          to="/whats-new"
          label="What's new"
          py={5}
          leftSection={<IconSparkles size={18} stroke={1.6} />}
        />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main} h="100dvh" style={{ outline: 'none' }}>
        {isForbidden ? <ForbiddenPage /> : <Outlet />}
      </AppShell.Main>
      <CommandPalette onGone={() => main.current?.focus({ preventScroll: true })} />
    </AppShell>
  )
}

/** The entries of all pages. Only a change of the page renders them again, because they are many. */
const Pages = memo(function Pages({ path }: { readonly path: string }) {
  const { may, membership } = useConsole()
  return navigation.map(({ title, entries }) => {
    const shown = entries.filter(({ scope }) => may(scope))
    if (shown.length === 0) return null
    return (
      <section key={title} aria-label={title}>
        <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
          {title}
        </Text>
        {shown.map(({ path: to, title: label, icon: Sign }) => {
          const isActive = path === to || path.startsWith(`${to}/`)
          return (
            <NavLink
              key={to}
              ref={isActive ? scrollIntoView : undefined}
              component={Link}
              to={to}
              label={label}
              py={5}
              active={isActive}
              leftSection={<Sign size={18} stroke={1.6} />}
              rightSection={to === '/approvals' ? <ApprovalBadge key={membership.id} /> : undefined}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          )
        })}
      </section>
    )
  })
})

/** Runs before the next frame, so that the page is not laid out twice. */
const scrollIntoView = (entry: HTMLAnchorElement | null) =>
  void requestAnimationFrame(() => entry?.scrollIntoView({ block: 'nearest' }))

/** If the focused link disappears with navigation, the new page gets the focus. */
function useFocusAfterwards(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged && document.activeElement === document.body)
          main.current?.focus({ preventScroll: true })
      }),
    [router, main],
  )
}
