import NextAuth from 'next-auth';
import { authOptions } from '../../../auth-options.js';

export default NextAuth(authOptions);
