import {
  Badge,
  CloseButton,
  createTheme,
  type DefaultMantineColor,
  Drawer,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  type VariantColorsResolver,
} from '@mantine/core'

const green: MantineColorsTuple = [
  '#e9f7f0',
  '#d6ece1',
  '#addac3',
  '#81c7a3',
  '#5cb788',
  '#45ad77',
  '#37a86e',
  '#28935c',
  '#1a7f4b',
  '#0b6b3f',
]

declare module '@mantine/core' {
  interface MantineThemeColorsOverride {
    colors: Record<DefaultMantineColor | 'green', MantineColorsTuple>
  }
}

/** Light variants with text colors that are readable in both themes. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant !== 'light' && input.variant !== 'subtle') return colors
  const name = input.color ?? input.theme.primaryColor
  if (input.theme.colors[name] === undefined) return colors
  // Some hues, such as orange, are too light in their darkest shade.
  const dark = `color-mix(in srgb, var(--mantine-color-${name}-9) 78%, black)`
  return { ...colors, color: `light-dark(${dark}, var(--mantine-color-${name}-2))` }
}

const close = { 'aria-label': 'Close' }

export const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 9, dark: 9 },
  autoContrast: true,
  colors: { green },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  variantColorResolver,
  components: {
    Badge: Badge.extend({ defaultProps: { tt: 'none' } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: close } }),
    // The close button would be a menu child that is not a menu item. The first item gets the focus instead.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: close, centered: true } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: close },
      // The error color is readable here. The default gray below a title is not.
      styles: { description: { color: 'var(--mantine-color-text)' } },
    }),
    CloseButton: CloseButton.extend({ defaultProps: close }),
  },
})
