import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Anchor = Omit<ComponentProps<'a'>, keyof ButtonProps> & ButtonProps

/** A link that looks like a button, so that it can also be opened in a new tab. */
export const LinkButton = createLink((props: Anchor) => <Button component="a" {...props} />)
