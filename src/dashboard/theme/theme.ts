import {
  createTheme,
  mergeThemeOverrides,
  type ButtonProps,
  type CSSVariablesResolver,
} from '@mantine/core'

/** Screen readers would announce the header of a dialog as the banner of the page. */
const HEAD_IS_NO_BANNER = { header: { role: 'presentation' } }

/**
 * A field for free text takes the direction of the typed text. Mantine sets `dir` on the field's wrapper, whose
 * direction does not follow the text. An empty placeholder lets CSS recognise an empty field.
 */
const OF_TYPED_DIRECTION = { placeholder: '', attributes: { input: { dir: 'auto' } } }

/** The theme of Mantine, which draws the controls with the tokens' values. */
const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: 7,
  colors: {
    petrol: [
      '#eef7f8',
      '#e2f0f2',
      '#c3dee3',
      '#9cc7cf',
      '#7ab1bc',
      '#5c9ba8',
      '#2f7f90',
      '#0b5f73',
      '#084b5b',
      '#063944',
    ],
  },
  fontFamily: 'var(--w-sans)',
  fontFamilyMonospace: 'var(--w-mono)',
  headings: { fontFamily: 'var(--w-sans)', fontWeight: '600' },
  fontSizes: { xs: 'var(--w-small)', sm: '13.5px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: {
    xs: 'var(--w-line-small)',
    sm: 'var(--w-line-body)',
    md: 'var(--w-line-body)',
    lg: 'var(--w-line-section)',
    xl: 'var(--w-line-title)',
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: 'sm', variant: 'default' },
      vars: (_theme: unknown, { size, variant }: ButtonProps) => ({
        root: {
          ...(variant === 'filled' && { '--button-color': 'var(--w-on-accent)' }),
          '--button-height': size === 'xs' ? '28px' : '32px',
          '--button-padding-x': '12px',
          '--button-fz': '13.5px',
        },
      }),
    },
    Checkbox: { vars: () => ({ root: { '--checkbox-icon-color': 'var(--w-on-accent)' } }) },
    Input: { vars: () => ({ wrapper: { '--input-height': '34px' } }) },
    InputWrapper: {
      // The help text is below a field, and the error between both.
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      vars: () => ({
        label: { '--input-label-size': '13.5px' },
        description: { '--input-description-size': 'var(--w-small)' },
        error: { '--input-error-size': 'var(--w-small)' },
      }),
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'xl',
        transitionProps: { duration: 120 },
        attributes: HEAD_IS_NO_BANNER,
      },
    },
    Drawer: { defaultProps: { attributes: HEAD_IS_NO_BANNER } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 120 } } },
    TextInput: { defaultProps: OF_TYPED_DIRECTION },
    Textarea: { defaultProps: OF_TYPED_DIRECTION },
    Autocomplete: { defaultProps: OF_TYPED_DIRECTION },
    TagsInput: { defaultProps: { attributes: { inputField: { dir: 'auto' } } } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
  },
})

const FROM_TOKENS = {
  '--mantine-color-body': 'var(--w-surface)',
  '--mantine-color-text': 'var(--w-text)',
  '--mantine-color-dimmed': 'var(--w-muted)',
  '--mantine-color-placeholder': 'var(--w-faint)',
  '--mantine-color-default': 'var(--w-surface)',
  '--mantine-color-default-hover': 'var(--w-hover)',
  '--mantine-color-default-color': 'var(--w-text)',
  '--mantine-color-default-border': 'var(--w-line2)',
  '--mantine-color-error': 'var(--w-bad)',
  '--mantine-color-anchor': 'var(--w-accent)',
  '--mantine-color-disabled': 'var(--w-off-soft)',
  '--mantine-color-disabled-color': 'var(--w-faint)',
  '--mantine-color-disabled-border': 'var(--w-line)',
  '--mantine-primary-color-filled': 'var(--w-accent)',
  '--mantine-primary-color-filled-hover': 'var(--w-accent-pressed)',
  '--mantine-primary-color-contrast': 'var(--w-on-accent)',
  '--mantine-color-petrol-filled': 'var(--w-accent)',
  '--mantine-color-petrol-filled-hover': 'var(--w-accent-pressed)',
  '--mantine-color-petrol-text': 'var(--w-accent)',
  '--mantine-color-petrol-light': 'var(--w-accent-soft)',
  '--mantine-color-petrol-light-hover': 'var(--w-accent-soft)',
  '--mantine-color-petrol-light-color': 'var(--w-accent)',
  '--mantine-shadow-md': 'var(--w-shadow)',
  '--mantine-shadow-xl': 'var(--w-shadow)',
}

/** Sets Mantine's colours to the tokens, whose values change with the colour scheme. */
export const fromTokens: CSSVariablesResolver = () => ({
  variables: {},
  light: FROM_TOKENS,
  dark: FROM_TOKENS,
})

/** Returns the theme with translations of the texts that Mantine has in English. */
export function themeWith({ showTyped }: { showTyped: string }) {
  return mergeThemeOverrides(
    theme,
    createTheme({
      components: {
        PasswordInput: {
          defaultProps: { visibilityToggleButtonProps: { 'aria-label': showTyped } },
        },
      },
    }),
  )
}
