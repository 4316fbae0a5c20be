/** Finds the shells of users, or installs them with apt. */
import { installedProgram } from './programs.ts'

/** The path of a shell. Throws if it is missing and apt cannot install it. */
export const shellProgram = (name: 'bash' | 'zsh' | 'fish'): string =>
  installedProgram(
    [name],
    name,
    `Any one of these will do:
  - ${name} installed on this machine (Debian: apt-get install ${name})
  - root on a Debian-like system, where it is installed automatically`,
  )
