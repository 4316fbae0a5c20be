/** Shells of users: those that are installed, else installed by apt. */
import { installedProgram } from './programs.ts'

/** The path of a shell. Throws if it is not installed and cannot be. */
export const shellProgram = (name: 'bash' | 'zsh' | 'fish'): string =>
  installedProgram(
    [name],
    name,
    `Any one of these will do:
  - ${name} installed on this machine (Debian: apt-get install ${name})
  - root on a Debian-like system, where it is installed automatically`,
  )
