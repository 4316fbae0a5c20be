/** What is wrong with single settings: each function returns a sentence for each fault. */
import express from 'express'
import { readMysqlUrl, tlsOptions } from '../data/database/mysql/mysql-address.ts'

export function databaseFaults(databaseUrl: string): string[] {
  const forms = 'DATABASE_URL must be sqlite:<file> or mysql://user:password@host:port/database'
  if (databaseUrl === 'sqlite::memory:') return [`${forms}; a database in memory is not supported`]
  if (/^\s|\s$|\p{Cc}/u.test(databaseUrl))
    return ['DATABASE_URL must not begin or end with a space, or have control characters']
  if (/^sqlite:.+/.test(databaseUrl)) return []
  if (!/^mysql:/i.test(databaseUrl)) return [forms]
  try {
    tlsOptions(readMysqlUrl(databaseUrl).encryption)
    return []
  } catch (error) {
    return [`DATABASE_URL ${(error as Error).message}`]
  }
}

export function baseUrlFaults(baseUrl: string | undefined): string[] {
  if (baseUrl === undefined) return []
  const valid = /^https?:\/\/[^\s/?#][^\s?#]*$/.test(baseUrl) && URL.canParse(baseUrl)
  return valid ? [] : [`BASE_URL must be an absolute http or https URL, not '${baseUrl}'`]
}

/** Express itself checks them: it accepts addresses, networks and names of networks. */
export function proxyFaults(trustProxy: readonly string[]): string[] {
  return trustProxy
    .filter(isNoProxy)
    .map((proxy) => `TRUST_PROXY must list addresses and networks, not '${proxy}'`)
}

function isNoProxy(proxy: string): boolean {
  try {
    express().set('trust proxy', [proxy])
    return false
  } catch {
    return true
  }
}

export function nameFaults(serviceName: string): string[] {
  return /^[\x20-\x7e]+$/.test(serviceName) && !/["\\]/.test(serviceName)
    ? []
    : ['SERVICE_NAME must be visible ASCII without quotes and backslashes']
}
