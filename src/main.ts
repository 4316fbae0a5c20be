/** The program of the service. */
import './start.ts'
